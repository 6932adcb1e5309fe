extension Language {
  static let germanErrors: [String: String] = [
    "error.blank_user_name": "Geben Sie Ihren Benutzernamen ein.",
    "error.empty_password": "Geben Sie Ihr Passwort ein.",
    "error.empty_code": "Geben Sie den Code ein.",
    "error.malformed_code": "Der Code hat eine andere Länge. Prüfen Sie ihn, und geben Sie ihn ganz ein.",
    "error.invalid_phone_number": "Geben Sie Ihre Telefonnummer mit Ländervorwahl ein, etwa +49 30 1234567.",
    "error.invalid_email_address": "Geben Sie Ihre E-Mail-Adresse ein, etwa name@example.com.",
    "error.invalid_link": "Dieser Link gehört zu einer anderen Anmeldung. Öffnen Sie den aus der neuesten E-Mail.",
    "error.challenge_replaced": "Inzwischen wurde ein anderer Code gesendet. Geben Sie den neuesten ein.",
    "error.invalid_credentials":
      "Der Benutzername oder das Passwort stimmt nicht. Prüfen Sie beides, und versuchen Sie es noch einmal.",
    "error.wrong_code": "Das ist nicht der Code. Prüfen Sie ihn, und geben Sie ihn noch einmal ein.",
    "error.wrong_code.left.one": "Das ist nicht der Code. Sie haben noch %1$@ Versuch.",
    "error.wrong_code.left.other": "Das ist nicht der Code. Sie haben noch %1$@ Versuche.",
    "error.code_expired": "Der Code wird nicht mehr angenommen. Lassen Sie sich einen neuen senden.",
    "error.code_reused": "Dieser Code wurde schon benutzt. Warten Sie auf den nächsten.",
    "error.too_many_attempts": "Zu viele Versuche. Warten Sie eine Weile, und versuchen Sie es dann noch einmal.",
    "error.too_many_attempts.wait": "Zu viele Versuche. Nächster Versuch in: %1$@.",
    "error.rate_limited": "Zu viele Versuche. Warten Sie eine Weile, und versuchen Sie es dann noch einmal.",
    "error.account_exists":
      "Es gibt ein Konto mit diesen Angaben. Melden Sie sich dort an, oder wählen Sie ein anderes Passwort.",
    "error.weak_password": "Das Passwort erfüllt nicht alle Regeln. Wählen Sie ein anderes.",
    "error.captcha_required": "Es muss geprüft werden, dass Sie ein Mensch sind. Versuchen Sie es noch einmal.",
    "error.already_linked": "Diese Anmeldeart gehört zu einem anderen Konto.",
    "error.recent_sign_in_required": "Melden Sie sich noch einmal an, um fortzufahren: Das schützt Ihr Konto.",
    "error.insufficient_user_authentication":
      "Melden Sie sich noch einmal an, um fortzufahren: Das schützt Ihr Konto.",
    "error.user_mismatch": "Das ist ein anderes Konto. Melden Sie sich mit dem an, das Sie hier benutzen.",
    "error.last_method": "Das ist Ihre einzige Anmeldeart. Fügen Sie zuerst eine andere hinzu.",
    "error.user_disabled": "Dieses Konto ist geschlossen. Wenden Sie sich an den Support.",
    "error.sign_up_refused":
      "Dieses Konto konnte nicht angelegt werden. Wählen Sie einen anderen Benutzernamen oder ein anderes Passwort.",
    "error.unreachable": "Es gibt keine Verbindung. Versuchen Sie es noch einmal, wenn Sie online sind.",
    "error.timed_out": "Der Dienst antwortet nicht. Versuchen Sie es später noch einmal.",
    "error.connection_lost": "Der Dienst antwortet nicht. Versuchen Sie es später noch einmal.",
    "error.server_failed": "Der Dienst antwortet nicht. Versuchen Sie es später noch einmal.",
    "error.insecure_connection":
      "Es war keine sichere Verbindung möglich. Versuchen Sie es in einem anderen Netz.",
    "error.session_rejected": "Ihre Sitzung ist beendet. Melden Sie sich noch einmal an.",
    "error.session_expired": "Ihre Sitzung ist beendet. Melden Sie sich noch einmal an.",
    "error.other_sessions_remain":
      "Sie sind hier abgemeldet, aber vielleicht nicht auf Ihren anderen Geräten. Melden Sie sich noch einmal an, "
      + "um sie dort abzumelden.",
    "error.ambiguous_loss": "Ihre Sitzung ist beendet. Melden Sie sich noch einmal an.",
    "error.not_signed_in": "Melden Sie sich an, um fortzufahren.",
    "error.confirmation_required":
      "Sie haben keine Anmeldeart hinzugefügt: Die Abmeldung löscht dieses Konto für immer.",
    "error.not_verified": "Die Anmeldung wurde nicht angenommen. Versuchen Sie es noch einmal.",
    "error.user_presence_required": "Entsperren Sie den sicheren Speicher dieses Geräts, um fortzufahren.",
    "error.storage_unavailable":
      "Der sichere Speicher dieses Geräts kann gerade nicht benutzt werden. Versuchen Sie es noch einmal.",
    "error.storage_corrupt": "Ihre gespeicherte Anmeldung ist nicht lesbar. Melden Sie sich noch einmal an.",
    "error.declined": "Sie haben nicht zugestimmt und sind deshalb nicht angemeldet.",
    "error.sign_in_expired": "Das hat zu lange gedauert. Beginnen Sie noch einmal.",
    "error.clock_skewed": "Die Uhr dieses Geräts geht falsch. Stellen Sie sie, und versuchen Sie es noch einmal.",
    "error.security":
      "Die Anmeldung konnte nicht überprüft werden und wurde abgebrochen. Versuchen Sie es noch einmal.",
    "error.browser_unavailable": "Es konnte kein Browser geöffnet werden.",
    "error.insufficient_scope": "Ihr Konto darf das nicht.",
    "error.unsupported_method": "Diese Anmeldeart wird hier nicht angeboten. Wählen Sie eine andere.",
    "error.unknown": "Etwas ist schiefgegangen. Versuchen Sie es noch einmal.",
    "time.seconds.one": "%1$@ Sekunde",
    "time.seconds.other": "%1$@ Sekunden",
    "time.minutes.one": "%1$@ Minute",
    "time.minutes.other": "%1$@ Minuten",
  ]
}
