public import AuthenticationPresentation

extension Language {
  /// Dutch, which is complete; no native speaker has reviewed it.
  public static let dutch = Language(
    "nl", isReviewed: false,
    table: tables(
      """
      key | nl
      methods.list.title form.sign_in.title form.submit.button | Log in
      methods.list.last_used | Laatst gebruikt
      method.password.button | Ga door met een wachtwoord
      method.phone-code.button | Ga door met een telefoonnummer
      method.email-code.button | Ga door met een code via e-mail
      method.email-link.button | Ga door met een link via e-mail
      method.passkey.button | Ga door met een passkey
      method.apple.button | Log in met Apple
      method.google.button | Ga door met Google
      method.facebook.button | Ga door met Facebook
      method.browser.button | Ga door in de browser
      method.device.button | Ga door op een ander apparaat
      method.anonymous.button | Ga door zonder account
      method.unlock.button locked.store.retry | Ontgrendel
      form.submit.working | Bezig met inloggen
      form.cancel.button | Annuleer
      form.forgot.button | Wachtwoord vergeten?
      form.sign_up.button sign_up.form.title | Maak een account aan
      form.locked_out.title code.spent.title | Te veel pogingen
      form.locked_out.left | Probeer het opnieuw over %1$@.
      field.user_name.label | Gebruikersnaam
      field.password.label | Wachtwoord
      field.new_password.label | Nieuw wachtwoord
      field.phone_number.label | Telefoonnummer
      field.email_address.label | E-mailadres
      field.code.label | Code
      field.password.show | Toon wachtwoord
      field.password.hide | Verberg wachtwoord
      field.password.shown | Het wachtwoord is zichtbaar.
      field.password.hidden | Het wachtwoord is verborgen.
      sign_up.submit.button | Maak account aan
      sign_up.submit.working | Het account wordt aangemaakt
      sign_up.terms.agree | Ik ga akkoord: %1$@
      sign_up.terms.required | Ik ga akkoord: %1$@ (verplicht)
      sign_up.terms.read | Lees: %1$@
      sign_up.exists.title | Er is al een account
      sign_up.exists.sign_in | Log in met dat account
      sign_up.exists.reset | Kies een ander wachtwoord
      sign_up.back.button | Terug
      browser.open.title | Log in op de pagina die is geopend
      browser.open.again | Open de pagina opnieuw
      passkey.prompt.title | Log in met een passkey
      passkey.prompt.button | Gebruik een passkey
      device.request.working | De code wordt opgehaald
      device.showing.title | Log in op een ander apparaat
      device.showing.address | Open %1$@ op dat apparaat.
      device.showing.code | Voer daar deze code in. De code is op beide schermen hetzelfde:
      device.showing.spoken | De code is %1$@.
      device.showing.qr | Een QR-code die %1$@ opent
      device.showing.left | De code is nog %1$@ geldig.
      device.denied.title | De inlogpoging is geweigerd op het andere apparaat.
      device.expired.title code.expired.title | De code is niet meer geldig.
      device.new_code.button | Vraag een nieuwe code aan
      locked.store.title | Je bewaarde inloggegevens zijn vergrendeld
      offline.banner.title | Je bent offline. Je blijft ingelogd.
      offline.banner.retry accounts.list.retry | Probeer opnieuw
      code.entry.title | Voer de code in
      code.entry.sent | Er is een code verstuurd naar %1$@.
      code.entry.authenticator | Voer de code uit je authenticatie-app in.
      code.entry.recovery | Voer een van je herstelcodes in.
      code.entry.restored | Er is al eerder om deze code gevraagd. Er is geen nieuwe verstuurd.
      code.entry.by_itself | De code wordt automatisch verstuurd zodra die compleet is.
      code.entry.resent | Er is een nieuwe code verstuurd.
      code.entry.expires.one | De code is nog %1$@ seconde geldig.
      code.entry.expires.other | De code is nog %1$@ seconden geldig.
      code.submit.button | Bevestig
      code.submit.working | De code wordt gecontroleerd
      code.resend.button | Verstuur een nieuwe code
      code.resend.wait | Over %1$@ kan een nieuwe code worden verstuurd.
      code.resend.working | Er wordt een nieuwe code verstuurd
      code.start_again.button | Begin opnieuw
      code.other.button | Kies een andere manier
      link.ask.title | Log in via e-mail
      link.ask.button | Verstuur een link
      link.ask.working | De link wordt verstuurd
      link.waiting.title | Open de link in je e-mail
      link.waiting.sent | Er is een link verstuurd naar %1$@.
      link.waiting.restored | Je wachtte op een link. Er is geen nieuwe verstuurd.
      link.waiting.open_mail | Open de mailapp
      link.resend.button | Verstuur een nieuwe link
      link.resend.wait | Over %1$@ kan een nieuwe link worden verstuurd.
      link.elsewhere.title | Voer het e-mailadres in waarnaar de link is verstuurd
      link.expired.title | De link is niet meer geldig.
      factors.choice.title | Kies hoe je wilt doorgaan
      factors.kind.sms | Code via sms naar %1$@
      factors.kind.email | Code via e-mail naar %1$@
      factors.kind.link | Link via e-mail naar %1$@
      factors.kind.sms.bare | Code via sms
      factors.kind.email.bare | Code via e-mail
      factors.kind.link.bare | Link via e-mail
      factors.kind.otp | Code uit je authenticatie-app
      factors.kind.recovery | Herstelcode
      factors.kind.passkey | Passkey
      factors.kind.approval | Goedkeuring op een ander apparaat
      factors.kind.unknown | Andere manier
      new_password.form.title | Kies een nieuw wachtwoord
      new_password.submit.button | Bewaar wachtwoord
      new_password.submit.working | Het wachtwoord wordt bewaard
      password.rule.length.one | Minstens %1$@ teken
      password.rule.length.other | Minstens %1$@ tekens
      password.rule.uppercase | Een hoofdletter
      password.rule.lowercase | Een kleine letter
      password.rule.digit | Een cijfer
      password.rule.symbol | Een teken dat geen letter of cijfer is
      password.rule.met | Voldaan
      password.rule.unmet | Nog niet voldaan
      session.greeting.new | Welkom!
      session.greeting.named | Welkom terug, %1$@!
      session.greeting.back | Welkom terug!
      session.ended.notice error.session_rejected error.session_expired error.ambiguous_loss | \
        Je sessie is beëindigd. Log opnieuw in.
      session.ended.elsewhere | Je bent uitgelogd door een andere app op dit apparaat.
      session.card.title | Je sessie
      session.card.expires | Nog %1$@ geldig
      session.card.stale | Niet gecontroleerd bij de dienst sinds de verbinding is weggevallen
      session.card.unsaved | Nog niet bewaard: na een herstart moet je misschien opnieuw inloggen.
      session.sign_out.button | Log uit
      session.sign_out.everywhere | Log uit op alle apparaten
      session.sign_out.working accounts.remove.working | Bezig met uitloggen
      session.loss.title | Uitloggen, ook al gaat er iets verloren?
      session.loss.explanation | \
        Een deel van wat je hier hebt, staat nergens anders: als je uitlogt, wordt dat voorgoed verwijderd.
      session.loss.title.anonymous_account | Uitloggen en dit account verliezen?
      session.loss.explanation.anonymous_account error.confirmation_required | \
        Je hebt geen inlogmethode toegevoegd: als je uitlogt, wordt dit account voorgoed verwijderd.
      session.loss.confirm | Log uit en verwijder
      session.loss.keep | Blijf ingelogd
      accounts.list.title | Accounts
      accounts.list.name | %1$@ (%2$@)
      accounts.list.current | In gebruik
      accounts.list.signed_out | %1$@, uitgelogd
      accounts.add.button | Account toevoegen
      accounts.use.working | Bezig met wisselen van account
      accounts.remove.button | Verwijder %1$@ van dit apparaat
      session.signed_out.title | Je bent uitgelogd.
      session.signed_out.not_erased | \
        Je bent uitgelogd, maar je inloggegevens konden niet van dit apparaat worden verwijderd: na een herstart ben \
        je misschien weer ingelogd. Probeer het opnieuw.
      session.sign_out.retry | Probeer opnieuw uit te loggen
      session.signed_out.remote_failed | Je bent hier uitgelogd. De dienst krijgt bericht zodra die bereikbaar is.
      error.blank_user_name | Voer je gebruikersnaam in.
      error.terms_not_accepted | Ga akkoord met wat verplicht is om het account aan te maken.
      error.empty_password | Voer je wachtwoord in.
      error.empty_code | Voer de code in.
      error.malformed_code | De code heeft een andere lengte. Controleer de code en voer die volledig in.
      error.invalid_phone_number | Voer je telefoonnummer in met de landcode, bijvoorbeeld +44 20 7946 0018.
      error.invalid_email_address | Voer je e-mailadres in, bijvoorbeeld naam@example.com.
      error.invalid_link | Deze link hoort bij een andere inlogpoging. Open de link in de nieuwste e-mail.
      error.challenge_replaced | Er is inmiddels een nieuwe code verstuurd. Voer de nieuwste code in.
      error.invalid_credentials | \
        De gebruikersnaam of het wachtwoord is niet juist. Controleer beide en probeer het opnieuw.
      error.wrong_code | Dat is niet de juiste code. Controleer de code en voer die opnieuw in.
      error.wrong_code.left.one | Dat is niet de juiste code. Je hebt nog %1$@ poging.
      error.wrong_code.left.other | Dat is niet de juiste code. Je hebt nog %1$@ pogingen.
      error.code_expired | De code is niet meer geldig. Vraag een nieuwe code aan.
      error.code_reused | Deze code is al gebruikt. Wacht op de volgende.
      error.too_many_attempts error.rate_limited | Te veel pogingen. Wacht even en probeer het dan opnieuw.
      error.too_many_attempts.wait | Te veel pogingen. Probeer het opnieuw over %1$@.
      error.account_exists | Er is al een account met deze gegevens. Log in met dat account.
      error.weak_password | Het wachtwoord voldoet niet aan alle regels. Kies een ander wachtwoord.
      error.captcha_required | Bevestig dat je geen robot bent en probeer het opnieuw.
      error.already_linked | Deze inlogmethode hoort bij een ander account.
      error.recent_sign_in_required error.insufficient_user_authentication | \
        Log opnieuw in om door te gaan: dat beschermt je account.
      error.user_mismatch | Dat is een ander account. Log in met het account dat je hier gebruikt.
      error.last_method | Dit is je enige inlogmethode. Voeg eerst een andere toe.
      error.user_disabled | Dit account is gesloten. Neem contact op met de klantenservice.
      error.sign_up_refused | \
        Dit account kon niet worden aangemaakt. Kies een andere gebruikersnaam of een ander wachtwoord.
      error.unreachable | Er is geen verbinding. Probeer het opnieuw als je online bent.
      error.timed_out error.connection_lost error.server_failed | De dienst reageert niet. Probeer het later opnieuw.
      error.insecure_connection | Er kon geen beveiligde verbinding worden gemaakt. Probeer een ander netwerk.
      error.other_sessions_remain | \
        Je bent hier uitgelogd, maar misschien niet op je andere apparaten. Log opnieuw in om daar uit te loggen.
      error.not_signed_in | Log in om door te gaan.
      error.not_verified | De inlogpoging is niet geaccepteerd. Probeer het opnieuw.
      error.user_presence_required | Ontgrendel de beveiligde opslag van dit apparaat om door te gaan.
      error.storage_unavailable | \
        De beveiligde opslag van dit apparaat kan nu niet worden gebruikt. Probeer het opnieuw.
      error.storage_corrupt | Je bewaarde inloggegevens kunnen niet worden gelezen. Log opnieuw in.
      error.declined | De inlogpoging is geweigerd. Probeer het opnieuw of kies een andere manier.
      error.sign_in_expired | Dat duurde te lang. Begin opnieuw.
      error.clock_skewed | De klok van dit apparaat staat verkeerd. Zet de klok goed en probeer het opnieuw.
      error.security | De inlogpoging kon niet worden geverifieerd en is daarom gestopt. Probeer het opnieuw.
      error.browser_unavailable | Er kon geen browser worden geopend.
      error.insufficient_scope | Met je account kun je dit niet doen.
      error.unsupported_method | Deze inlogmethode wordt hier niet aangeboden. Kies een andere.
      error.unknown | Er is iets misgegaan. Probeer het opnieuw.
      time.seconds.one | %1$@ seconde
      time.seconds.other | %1$@ seconden
      time.minutes.one | %1$@ minuut
      time.minutes.other | %1$@ minuten
      reset.ask.title | Kies een ander wachtwoord
      reset.ask.button reauthentication.submit.button | Ga door
      reset.ask.working | Er wordt een bericht naar het account verstuurd
      reset.sent.title | Als er een account is voor %1$@, is daar een bericht naartoe verstuurd.
      reset.done.title | Je wachtwoord is gewijzigd.
      reset.done.sign_in | Log in met het nieuwe wachtwoord
      conflict.ask.title | Je hebt al een account
      conflict.ask.explanation | Log in met dat account, dan wordt deze inlogmethode toegevoegd.
      conflict.decline.button reauthentication.decline.button | Niet nu
      conflict.link.working | De inlogmethode wordt aan je account toegevoegd
      conflict.linked.title | De inlogmethode is aan je account toegevoegd.
      conflict.expired.title | Dat duurde te lang. Begin opnieuw.
      reauthentication.ask.title | Bevestig dat jij het bent
      reauthentication.ask.explanation | Log opnieuw in om door te gaan: dat beschermt je account.
      account.page.title | Je account
      account.page.retry | Probeer opnieuw
      account.page.working | Je account wordt geladen
      account.change.working | De wijziging wordt bewaard
      account.method.password | Wachtwoord
      account.method.phone-code | Telefoonnummer
      account.method.email-code | Code via e-mail
      account.method.email-link | Link via e-mail
      account.method.passkey | Passkey
      account.method.apple | Apple
      account.method.google | Google
      account.method.facebook | Facebook
      account.method.browser | Browser
      account.method.device | Ander apparaat
      account.method.anonymous | Geen account
      account.method.unlock | Ontgrendelen
      account.methods.title | Inlogmethoden
      account.methods.unlink account.factors.remove | Verwijder: %1$@
      account.sessions.title | Waar je bent ingelogd
      account.sessions.current | Dit apparaat
      account.sessions.end | Log uit op: %1$@
      account.sessions.elsewhere | Ander apparaat
      account.factors.title | Tweede factoren en passkeys
      account.factors.add account.enrol.title | Voeg een authenticatie-app toe
      account.factors.add_kind | Voeg toe: %1$@
      account.enrol.explanation | \
        Scan de QR-code met de app of typ deze sleutel in de app. Voer daarna hier de code in die de app toont.
      account.delete.button | Verwijder account
      account.delete.title | Het account voorgoed verwijderen?
      account.delete.confirm | Verwijder voorgoed
      account.delete.keep | Behoud account
      account.delete.working | Het account wordt verwijderd
      account.deleted.title | Je account is verwijderd.
      """)["nl"] ?? [:])
}
