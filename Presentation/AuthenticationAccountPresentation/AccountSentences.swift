import AuthenticationPresentation

/// The sentences of the flows of an account: one row for each key, one column for each language.
package enum AccountWords {
  /// By the tag of their language.
  package static let tables = Language.tables(
    """
    key | en | de
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
