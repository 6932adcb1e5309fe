extension Language {
  /// The sentences of all models and views: one row for each key, one column for each language.
  ///
  /// `%1$@` stands for the first argument, and `.one` and `.other` end the keys of the forms that a number chooses.
  static let sentences = tables(
    """
    key | en | de
    methods.list.title form.sign_in.title form.submit.button | Sign in | Anmelden
    methods.list.last_used | Used last | Zuletzt benutzt
    method.password.button | Continue with a password | Mit einem Passwort fortfahren
    method.phone-code.button | Continue with a phone number | Mit einer Telefonnummer fortfahren
    method.email-code.button | Continue with a code by e-mail | Mit einem Code per E-Mail fortfahren
    method.email-link.button | Continue with a link by e-mail | Mit einem Link per E-Mail fortfahren
    method.passkey.button | Continue with a passkey | Mit einem Passkey fortfahren
    method.apple.button | Sign in with Apple | Mit Apple anmelden
    method.google.button | Continue with Google | Mit Google fortfahren
    method.facebook.button | Continue with Facebook | Mit Facebook fortfahren
    method.browser.button | Continue in the browser | Im Browser fortfahren
    method.device.button | Continue on another device | Auf einem anderen Gerät fortfahren
    method.anonymous.button | Continue without an account | Ohne Konto fortfahren
    method.unlock.button locked.store.retry | Unlock | Entsperren
    form.submit.working | Signing in | Anmeldung läuft
    form.cancel.button | Cancel | Abbrechen
    form.forgot.button | Forgot password? | Passwort vergessen?
    form.sign_up.button sign_up.form.title | Create an account | Konto anlegen
    form.locked_out.title code.spent.title | Too many tries | Zu viele Versuche
    form.locked_out.left | Try again in %1$@. | Nächster Versuch in: %1$@.
    field.user_name.label | User name | Benutzername
    field.password.label | Password | Passwort
    field.new_password.label | New password | Neues Passwort
    field.phone_number.label | Phone number | Telefonnummer
    field.email_address.label | E-mail address | E-Mail-Adresse
    field.code.label | Code | Code
    field.password.show | Show password | Passwort zeigen
    field.password.hide | Hide password | Passwort verbergen
    field.password.shown | The password can be read. | Das Passwort ist lesbar.
    field.password.hidden | The password is hidden. | Das Passwort ist verborgen.
    sign_up.submit.button | Create the account | Das Konto anlegen
    sign_up.submit.working | Creating the account | Das Konto wird angelegt
    sign_up.terms.agree | I agree: %1$@ | Ich stimme zu: %1$@
    sign_up.terms.required | I agree: %1$@ (required) | Ich stimme zu: %1$@ (erforderlich)
    sign_up.terms.read | Read: %1$@ | Lesen: %1$@
    sign_up.exists.title | There is an account already | Es gibt schon ein Konto
    sign_up.exists.sign_in | Sign in to it | Dort anmelden
    sign_up.exists.reset | Choose another password | Anderes Passwort wählen
    sign_up.back.button | Back | Zurück
    browser.open.title | Sign in on the page that has opened | Melden Sie sich auf der geöffneten Seite an
    browser.open.again | Open the page again | Seite noch einmal öffnen
    passkey.prompt.title | Sign in with a passkey | Mit einem Passkey anmelden
    passkey.prompt.button | Use a passkey | Passkey benutzen
    device.request.working | Getting a code | Ein Code wird geholt
    device.showing.title | Sign in on another device | Auf einem anderen Gerät anmelden
    device.showing.address | Open %1$@ on it. | Öffnen Sie dort %1$@.
    device.showing.code | Enter this code there. It is the same on both screens: | \
      Geben Sie dort diesen Code ein. Er ist auf beiden Bildschirmen gleich:
    device.showing.spoken | The code is %1$@. | Der Code lautet %1$@.
    device.showing.qr | A QR code that opens %1$@ | Ein QR-Code, der %1$@ öffnet
    device.showing.left | The code is accepted for %1$@ more. | Der Code wird noch angenommen für: %1$@.
    device.denied.title | The sign-in was declined on the other device. | Auf dem anderen Gerät wurde abgelehnt.
    device.expired.title code.expired.title | The code is no longer accepted. | Der Code wird nicht mehr angenommen.
    device.new_code.button | Get a new code | Neuen Code holen
    locked.store.title | Your saved sign-in is locked | Ihre gespeicherte Anmeldung ist gesperrt
    offline.banner.title | You are offline. You stay signed in. | Sie sind offline. Sie bleiben angemeldet.
    offline.banner.retry accounts.list.retry | Try again | Noch einmal versuchen
    code.entry.title | Enter the code | Code eingeben
    code.entry.sent | A code was sent to %1$@. | Ein Code wurde an %1$@ gesendet.
    code.entry.authenticator | Enter the code that your authenticator app shows. | \
      Geben Sie den Code ein, den Ihre Authenticator-App zeigt.
    code.entry.recovery | Enter one of your recovery codes. | Geben Sie einen Ihrer Wiederherstellungscodes ein.
    code.entry.restored | You were asked for this code before. No other one was sent. | \
      Nach diesem Code wurden Sie schon gefragt. Es wurde kein anderer gesendet.
    code.entry.by_itself | It is sent as soon as it is complete. | Er wird abgeschickt, sobald er vollständig ist.
    code.entry.resent | Another code was sent. | Ein anderer Code wurde gesendet.
    code.entry.expires.one | The code is accepted for %1$@ more second. | Der Code wird noch %1$@ Sekunde angenommen.
    code.entry.expires.other | The code is accepted for %1$@ more seconds. | \
      Der Code wird noch %1$@ Sekunden angenommen.
    code.submit.button | Confirm | Bestätigen
    code.submit.working | Checking the code | Der Code wird geprüft
    code.resend.button | Send another code | Anderen Code senden
    code.resend.wait | Another code can be sent in %1$@. | Ein anderer Code kann gesendet werden in: %1$@.
    code.resend.working | Sending another code | Ein anderer Code wird gesendet
    code.start_again.button | Start again | Noch einmal beginnen
    code.other.button | Choose another way | Andere Art wählen
    link.ask.title | Sign in by e-mail | Per E-Mail anmelden
    link.ask.button | Send a link | Link senden
    link.ask.working | Sending the link | Der Link wird gesendet
    link.waiting.title | Open the link in your e-mail | Öffnen Sie den Link in Ihrer E-Mail
    link.waiting.sent | A link was sent to %1$@. | Ein Link wurde an %1$@ gesendet.
    link.waiting.restored | You were waiting for a link. No other one was sent. | \
      Sie haben auf einen Link gewartet. Es wurde kein anderer gesendet.
    link.waiting.open_mail | Open the mail app | Mail-App öffnen
    link.resend.button | Send another link | Anderen Link senden
    link.resend.wait | Another link can be sent in %1$@. | Ein anderer Link kann gesendet werden in: %1$@.
    link.elsewhere.title | Enter the address that the link was sent to | Geben Sie die Adresse ein, an die der Link ging
    link.expired.title | The link is no longer accepted. | Der Link wird nicht mehr angenommen.
    factors.choice.title | Choose how to go on | Wählen Sie, wie es weitergeht
    factors.kind.sms | A code by text message to %1$@ | Ein Code per SMS an %1$@
    factors.kind.email | A code by e-mail to %1$@ | Ein Code per E-Mail an %1$@
    factors.kind.link | A link by e-mail to %1$@ | Ein Link per E-Mail an %1$@
    factors.kind.sms.bare | A code by text message | Ein Code per SMS
    factors.kind.email.bare | A code by e-mail | Ein Code per E-Mail
    factors.kind.link.bare | A link by e-mail | Ein Link per E-Mail
    factors.kind.otp | A code of your authenticator app | Ein Code Ihrer Authenticator-App
    factors.kind.recovery | A recovery code | Ein Wiederherstellungscode
    factors.kind.passkey | A passkey | Ein Passkey
    factors.kind.approval | A tap on another device | Ein Tippen auf einem anderen Gerät
    factors.kind.unknown | Another way | Eine andere Art
    new_password.form.title | Choose a new password | Neues Passwort wählen
    new_password.submit.button | Save the password | Passwort sichern
    new_password.submit.working | Saving the password | Das Passwort wird gesichert
    password.rule.length.one | At least %1$@ character | Mindestens %1$@ Zeichen
    password.rule.length.other | At least %1$@ characters | Mindestens %1$@ Zeichen
    password.rule.uppercase | An upper-case letter | Ein Großbuchstabe
    password.rule.lowercase | A lower-case letter | Ein Kleinbuchstabe
    password.rule.digit | A digit | Eine Ziffer
    password.rule.symbol | A character that is neither letter nor digit | \
      Ein Zeichen, das weder Buchstabe noch Ziffer ist
    password.rule.met | Met | Erfüllt
    password.rule.unmet | Not met yet | Noch nicht erfüllt
    session.greeting.new | Welcome, new user! | Willkommen!
    session.greeting.named | Welcome back, %1$@! | Willkommen zurück, %1$@!
    session.greeting.back | Welcome back! | Willkommen zurück!
    session.ended.notice error.session_rejected error.session_expired error.ambiguous_loss | \
      Your session has ended. Sign in again. | \
      Ihre Sitzung ist beendet. Melden Sie sich noch einmal an.
    session.ended.elsewhere | You were signed out by another app of this device. | \
      Eine andere App dieses Geräts hat Sie abgemeldet.
    session.card.title | Your session | Ihre Sitzung
    session.card.expires | Valid for %1$@ more | Noch gültig: %1$@
    session.card.stale | Not checked with the service since it went offline | \
      Nicht mit dem Dienst abgeglichen, seit er nicht erreichbar ist
    session.card.unsaved | Not saved yet: you may have to sign in again after a restart. | \
      Noch nicht gesichert: Nach einem Neustart müssen Sie sich vielleicht noch einmal anmelden.
    session.sign_out.button | Sign out | Abmelden
    session.sign_out.everywhere | Sign out on all devices | Auf allen Geräten abmelden
    session.sign_out.working accounts.remove.working | Signing out | Abmeldung läuft
    session.loss.title | Sign out although something is lost? | Abmelden, obwohl etwas verloren geht?
    session.loss.explanation | Some of what you have here is nowhere else: signing out deletes it for ever. | \
      Etwas von Ihnen gibt es nur hier: Die Abmeldung löscht es für immer.
    session.loss.title.anonymous_account | Sign out and lose this account? | Abmelden und dieses Konto verlieren?
    session.loss.explanation.anonymous_account error.confirmation_required | \
      You have not added a way to sign in: signing out deletes this account for ever. | \
      Sie haben keine Anmeldeart hinzugefügt: Die Abmeldung löscht dieses Konto für immer.
    session.loss.confirm | Sign out and delete | Abmelden und löschen
    session.loss.keep | Stay signed in | Angemeldet bleiben
    accounts.list.title | Accounts | Konten
    accounts.list.name | %1$@ (%2$@) | %1$@ (%2$@)
    accounts.list.current | In use | Aktiv
    accounts.list.signed_out | %1$@, signed out | %1$@, abgemeldet
    accounts.add.button | Add an account | Konto hinzufügen
    accounts.use.working | Switching the account | Konto wird gewechselt
    accounts.remove.button | Remove %1$@ from this device | %1$@ von diesem Gerät entfernen
    session.signed_out.title | You are signed out. | Sie sind abgemeldet.
    session.signed_out.not_erased | \
      You are signed out, but your sign-in could not be removed from this device: after a restart you may be signed \
      in again. Try again. | Sie sind abgemeldet, aber Ihre Anmeldung konnte von diesem Gerät nicht entfernt werden: \
      Nach einem Neustart sind Sie vielleicht wieder angemeldet. Versuchen Sie es noch einmal.
    session.sign_out.retry | Try to sign out again | Noch einmal abmelden
    session.signed_out.remote_failed | You are signed out here. The service is told as soon as it can be reached. | \
      Sie sind hier abgemeldet. Der Dienst erfährt es, sobald er erreichbar ist.
    error.blank_user_name | Enter your user name. | Geben Sie Ihren Benutzernamen ein.
    error.terms_not_accepted | Agree to what is required to create the account. | \
      Stimmen Sie dem Erforderlichen zu, um das Konto anzulegen.
    error.empty_password | Enter your password. | Geben Sie Ihr Passwort ein.
    error.empty_code | Enter the code. | Geben Sie den Code ein.
    error.malformed_code | The code has another length. Check it, and enter all of it. | \
      Der Code hat eine andere Länge. Prüfen Sie ihn, und geben Sie ihn ganz ein.
    error.invalid_phone_number | Enter your phone number with its country code, such as +44 20 7946 0018. | \
      Geben Sie Ihre Telefonnummer mit Ländervorwahl ein, etwa +49 30 1234567.
    error.invalid_email_address | Enter your e-mail address, such as name@example.com. | \
      Geben Sie Ihre E-Mail-Adresse ein, etwa name@example.com.
    error.invalid_link | This link belongs to another sign-in. Open the one in the latest e-mail. | \
      Dieser Link gehört zu einer anderen Anmeldung. Öffnen Sie den aus der neuesten E-Mail.
    error.challenge_replaced | Another code was sent meanwhile. Enter the latest one. | \
      Inzwischen wurde ein anderer Code gesendet. Geben Sie den neuesten ein.
    error.invalid_credentials | The user name or the password is not correct. Check both, and try again. | \
      Der Benutzername oder das Passwort stimmt nicht. Prüfen Sie beides, und versuchen Sie es noch einmal.
    error.wrong_code | That is not the code. Check it, and enter it again. | \
      Das ist nicht der Code. Prüfen Sie ihn, und geben Sie ihn noch einmal ein.
    error.wrong_code.left.one | That is not the code. You have %1$@ more try. | \
      Das ist nicht der Code. Sie haben noch %1$@ Versuch.
    error.wrong_code.left.other | That is not the code. You have %1$@ more tries. | \
      Das ist nicht der Code. Sie haben noch %1$@ Versuche.
    error.code_expired | The code is no longer accepted. Have another one sent. | \
      Der Code wird nicht mehr angenommen. Lassen Sie sich einen neuen senden.
    error.code_reused | This code was used before. Wait for the next one. | \
      Dieser Code wurde schon benutzt. Warten Sie auf den nächsten.
    error.too_many_attempts error.rate_limited | Too many tries. Wait a while, then try again. | \
      Zu viele Versuche. Warten Sie eine Weile, und versuchen Sie es dann noch einmal.
    error.too_many_attempts.wait | Too many tries. Try again in %1$@. | Zu viele Versuche. Nächster Versuch in: %1$@.
    error.account_exists | There is an account with these details. Sign in to it instead. | \
      Es gibt ein Konto mit diesen Angaben. Melden Sie sich stattdessen dort an.
    error.weak_password | The password does not meet all of the rules. Choose another one. | \
      Das Passwort erfüllt nicht alle Regeln. Wählen Sie ein anderes.
    error.captcha_required | Confirm that you are not a robot, and try again. | \
      Bestätigen Sie, dass Sie kein Roboter sind, und versuchen Sie es noch einmal.
    error.already_linked | This way to sign in belongs to another account. | \
      Diese Anmeldeart gehört zu einem anderen Konto.
    error.recent_sign_in_required error.insufficient_user_authentication | \
      Sign in again to go on: it protects your account. | \
      Melden Sie sich noch einmal an, um fortzufahren: Das schützt Ihr Konto.
    error.user_mismatch | That is another account. Sign in with the one that you are using here. | \
      Das ist ein anderes Konto. Melden Sie sich mit dem an, das Sie hier benutzen.
    error.last_method | This is your only way to sign in. Add another one first. | \
      Das ist Ihre einzige Anmeldeart. Fügen Sie zuerst eine andere hinzu.
    error.user_disabled | This account is closed. Contact support. | \
      Dieses Konto ist geschlossen. Wenden Sie sich an den Support.
    error.sign_up_refused | This account could not be created. Choose another user name or password. | \
      Dieses Konto konnte nicht angelegt werden. Wählen Sie einen anderen Benutzernamen oder ein anderes Passwort.
    error.unreachable | There is no connection. Try again when you are online. | \
      Es gibt keine Verbindung. Versuchen Sie es noch einmal, wenn Sie online sind.
    error.timed_out error.connection_lost error.server_failed | The service does not answer. Try again later. | \
      Der Dienst antwortet nicht. Versuchen Sie es später noch einmal.
    error.insecure_connection | No secure connection could be made. Try another network. | \
      Es war keine sichere Verbindung möglich. Versuchen Sie es in einem anderen Netz.
    error.other_sessions_remain | \
      You are signed out here, but perhaps not on your other devices. Sign in again to sign out there. | Sie sind \
      hier abgemeldet, aber vielleicht nicht auf Ihren anderen Geräten. Melden Sie sich noch einmal an, um sie dort \
      abzumelden.
    error.not_signed_in | Sign in to go on. | Melden Sie sich an, um fortzufahren.
    error.not_verified | The sign-in was not accepted. Try again. | \
      Die Anmeldung wurde nicht angenommen. Versuchen Sie es noch einmal.
    error.user_presence_required | Unlock the secure storage of this device to go on. | \
      Entsperren Sie den sicheren Speicher dieses Geräts, um fortzufahren.
    error.storage_unavailable | The secure storage of this device cannot be used right now. Try again. | \
      Der sichere Speicher dieses Geräts kann gerade nicht benutzt werden. Versuchen Sie es noch einmal.
    error.storage_corrupt | Your saved sign-in cannot be read. Sign in again. | \
      Ihre gespeicherte Anmeldung ist nicht lesbar. Melden Sie sich noch einmal an.
    error.declined | The sign-in was declined. Try again, or choose another way. | \
      Die Anmeldung wurde abgelehnt. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.
    error.sign_in_expired | That took too long. Start again. | Das hat zu lange gedauert. Beginnen Sie noch einmal.
    error.clock_skewed | The clock of this device is wrong. Set it, and try again. | \
      Die Uhr dieses Geräts geht falsch. Stellen Sie sie, und versuchen Sie es noch einmal.
    error.security | The sign-in could not be verified, so it was stopped. Try again. | \
      Die Anmeldung konnte nicht überprüft werden und wurde abgebrochen. Versuchen Sie es noch einmal.
    error.browser_unavailable | No browser could be opened. | Es konnte kein Browser geöffnet werden.
    error.insufficient_scope | Your account may not do this. | Ihr Konto darf das nicht.
    error.unsupported_method | This way to sign in is not offered here. Choose another one. | \
      Diese Anmeldeart wird hier nicht angeboten. Wählen Sie eine andere.
    error.unknown | Something went wrong. Try again. | Etwas ist schiefgegangen. Versuchen Sie es noch einmal.
    time.seconds.one | %1$@ second | %1$@ Sekunde
    time.seconds.other | %1$@ seconds | %1$@ Sekunden
    time.minutes.one | %1$@ minute | %1$@ Minute
    time.minutes.other | %1$@ minutes | %1$@ Minuten
    reset.ask.title | Choose another password | Anderes Passwort wählen
    reset.ask.button reauthentication.submit.button | Go on | Fortfahren
    reset.ask.working | Sending a message to the account | Eine Nachricht an das Konto wird gesendet
    reset.sent.title | If there is an account for %1$@, a message has been sent to it. | \
      Wenn es ein Konto für %1$@ gibt, ist eine Nachricht dorthin unterwegs.
    reset.done.title | Your password was changed. | Ihr Passwort wurde geändert.
    reset.done.sign_in | Sign in with it | Damit anmelden
    conflict.ask.title | You have an account already | Sie haben schon ein Konto
    conflict.ask.explanation | Sign in to it, and this way to sign in is added. | \
      Melden Sie sich dort an, dann wird diese Anmeldeart hinzugefügt.
    conflict.decline.button reauthentication.decline.button | Not now | Nicht jetzt
    conflict.link.working | Adding it to your account | Sie wird Ihrem Konto hinzugefügt
    conflict.linked.title | It was added to your account. | Sie wurde Ihrem Konto hinzugefügt.
    conflict.expired.title | That took too long. Start again. | Das hat zu lange gedauert. Beginnen Sie noch einmal.
    reauthentication.ask.title | Show that it is you | Zeigen Sie, dass Sie es sind
    reauthentication.ask.explanation | Sign in again to go on: it protects your account. | \
      Melden Sie sich noch einmal an, um fortzufahren: Das schützt Ihr Konto.
    account.page.title | Your account | Ihr Konto
    account.page.retry | Try again | Noch einmal versuchen
    account.page.working | Loading your account | Ihr Konto wird geladen
    account.change.working | Saving the change | Die Änderung wird gesichert
    account.method.password | Password | Passwort
    account.method.phone-code | Phone number | Telefonnummer
    account.method.email-code | Code by e-mail | Code per E-Mail
    account.method.email-link | Link by e-mail | Link per E-Mail
    account.method.passkey | Passkey | Passkey
    account.method.apple | Apple | Apple
    account.method.google | Google | Google
    account.method.facebook | Facebook | Facebook
    account.method.browser | Browser | Browser
    account.method.device | Another device | Anderes Gerät
    account.method.anonymous | No account | Ohne Konto
    account.method.unlock | Unlocking | Entsperren
    account.methods.title | Ways to sign in | Anmeldearten
    account.methods.unlink account.factors.remove | Remove %1$@ | %1$@ entfernen
    account.sessions.title | Where you are signed in | Wo Sie angemeldet sind
    account.sessions.current | This device | Dieses Gerät
    account.sessions.end | Sign out on %1$@ | Auf %1$@ abmelden
    account.sessions.elsewhere | Another device | Ein anderes Gerät
    account.factors.title | Second factors and passkeys | Zweite Faktoren und Passkeys
    account.factors.add account.enrol.title | Add an authenticator app | Authenticator-App hinzufügen
    account.factors.add_kind | Add: %1$@ | Hinzufügen: %1$@
    account.enrol.explanation | Scan the QR code with it, or type this key, then enter the code that it shows. | \
      Scannen Sie damit den QR-Code, oder tippen Sie diesen Schlüssel ein; geben Sie dann den gezeigten Code ein.
    account.delete.button | Delete the account | Konto löschen
    account.delete.title | Delete the account for ever? | Das Konto für immer löschen?
    account.delete.confirm | Delete for ever | Für immer löschen
    account.delete.keep | Keep it | Behalten
    account.delete.working | Deleting the account | Das Konto wird gelöscht
    account.deleted.title | Your account was deleted. | Ihr Konto wurde gelöscht.
    """)
}
