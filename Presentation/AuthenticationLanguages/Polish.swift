public import AuthenticationPresentation

extension Language {
  /// Polish, which is complete; no native speaker has reviewed it.
  public static let polish = Language(
    "pl", isReviewed: false, plural: polishForm,
    table: tables(
      """
      key | pl
      methods.list.title form.sign_in.title form.submit.button | Zaloguj się
      methods.list.last_used | Ostatnio używane
      method.password.button | Kontynuuj za pomocą hasła
      method.phone-code.button | Kontynuuj za pomocą numeru telefonu
      method.email-code.button | Kontynuuj za pomocą kodu z e-maila
      method.email-link.button | Kontynuuj za pomocą linku z e-maila
      method.passkey.button | Kontynuuj za pomocą klucza dostępu
      method.apple.button | Zaloguj się przez Apple
      method.google.button | Kontynuuj przez Google
      method.facebook.button | Kontynuuj przez Facebooka
      method.browser.button | Kontynuuj w przeglądarce
      method.device.button | Kontynuuj na innym urządzeniu
      method.anonymous.button | Kontynuuj bez konta
      method.unlock.button locked.store.retry | Odblokuj
      form.submit.working | Trwa logowanie
      form.cancel.button | Anuluj
      form.forgot.button | Nie pamiętasz hasła?
      form.sign_up.button sign_up.form.title | Utwórz konto
      form.locked_out.title code.spent.title | Zbyt wiele prób
      form.locked_out.left | Czas do następnej próby: %1$@.
      field.user_name.label | Nazwa użytkownika
      field.password.label | Hasło
      field.new_password.label | Nowe hasło
      field.phone_number.label | Numer telefonu
      field.email_address.label | Adres e-mail
      field.code.label | Kod
      field.password.show | Pokaż hasło
      field.password.hide | Ukryj hasło
      field.password.shown | Hasło jest widoczne.
      field.password.hidden | Hasło jest ukryte.
      sign_up.submit.button | Utwórz konto
      sign_up.submit.working | Trwa tworzenie konta
      sign_up.terms.agree | Zgadzam się: %1$@
      sign_up.terms.required | Zgadzam się: %1$@ (wymagane)
      sign_up.terms.read | Przeczytaj: %1$@
      sign_up.exists.title | Konto już istnieje
      sign_up.exists.sign_in | Zaloguj się na to konto
      sign_up.exists.reset | Ustaw inne hasło
      sign_up.back.button | Wróć
      browser.open.title | Zaloguj się na otwartej stronie
      browser.open.again | Otwórz stronę ponownie
      passkey.prompt.title | Zaloguj się za pomocą klucza dostępu
      passkey.prompt.button | Użyj klucza dostępu
      device.request.working | Trwa pobieranie kodu
      device.showing.title | Zaloguj się na innym urządzeniu
      device.showing.address | Otwórz na nim stronę %1$@.
      device.showing.code | Wpisz tam ten kod. Jest taki sam na obu ekranach:
      device.showing.spoken | Kod to %1$@.
      device.showing.qr | Kod QR otwierający stronę %1$@
      device.showing.left | Pozostały czas ważności kodu: %1$@.
      device.denied.title | Logowanie zostało odrzucone na drugim urządzeniu.
      device.expired.title code.expired.title | Kod stracił ważność.
      device.new_code.button | Pobierz nowy kod
      locked.store.title | Zapisane dane logowania są zablokowane
      offline.banner.title | Jesteś offline. Sesja pozostaje aktywna.
      offline.banner.retry accounts.list.retry | Spróbuj ponownie
      code.entry.title | Wpisz kod
      code.entry.sent | Kod wysłano na: %1$@.
      code.entry.authenticator | Wpisz kod z aplikacji uwierzytelniającej.
      code.entry.recovery | Wpisz jeden z kodów odzyskiwania.
      code.entry.restored | Prośba o ten kod pojawiła się już wcześniej. Nie wysłano nowego kodu.
      code.entry.by_itself | Kod zostanie wysłany automatycznie po wpisaniu go w całości.
      code.entry.resent | Wysłano nowy kod.
      code.entry.expires.one | Kod będzie ważny jeszcze przez %1$@ sekundę.
      code.entry.expires.few | Kod będzie ważny jeszcze przez %1$@ sekundy.
      code.entry.expires.many | Kod będzie ważny jeszcze przez %1$@ sekund.
      code.entry.expires.other | Kod będzie ważny jeszcze przez %1$@ sekundy.
      code.submit.button | Potwierdź
      code.submit.working | Trwa sprawdzanie kodu
      code.resend.button | Wyślij nowy kod
      code.resend.wait | Nowy kod będzie można wysłać później. Pozostały czas: %1$@.
      code.resend.working | Trwa wysyłanie nowego kodu
      code.start_again.button | Zacznij od nowa
      code.other.button | Wybierz inny sposób
      link.ask.title | Zaloguj się przez e-mail
      link.ask.button | Wyślij link
      link.ask.working | Trwa wysyłanie linku
      link.waiting.title | Otwórz link z e-maila
      link.waiting.sent | Link wysłano na: %1$@.
      link.waiting.restored | Czekasz na link wysłany wcześniej. Nie wysłano nowego linku.
      link.waiting.open_mail | Otwórz aplikację pocztową
      link.resend.button | Wyślij nowy link
      link.resend.wait | Nowy link będzie można wysłać później. Pozostały czas: %1$@.
      link.elsewhere.title | Wpisz adres e-mail, na który wysłano link
      link.expired.title | Link stracił ważność.
      factors.choice.title | Wybierz, jak kontynuować
      factors.kind.sms | Kod SMS-em na numer %1$@
      factors.kind.email | Kod e-mailem na adres %1$@
      factors.kind.link | Link e-mailem na adres %1$@
      factors.kind.sms.bare | Kod SMS-em
      factors.kind.email.bare | Kod e-mailem
      factors.kind.link.bare | Link e-mailem
      factors.kind.otp | Kod z aplikacji uwierzytelniającej
      factors.kind.recovery | Kod odzyskiwania
      factors.kind.passkey | Klucz dostępu
      factors.kind.approval | Potwierdzenie na innym urządzeniu
      factors.kind.unknown | Inny sposób
      new_password.form.title | Ustaw nowe hasło
      new_password.submit.button | Zapisz hasło
      new_password.submit.working | Trwa zapisywanie hasła
      password.rule.length.one | Co najmniej %1$@ znak
      password.rule.length.few | Co najmniej %1$@ znaki
      password.rule.length.many | Co najmniej %1$@ znaków
      password.rule.length.other | Co najmniej %1$@ znaku
      password.rule.uppercase | Wielka litera
      password.rule.lowercase | Mała litera
      password.rule.digit | Cyfra
      password.rule.symbol | Znak inny niż litera lub cyfra
      password.rule.met | Spełnione
      password.rule.unmet | Jeszcze niespełnione
      session.greeting.new | Witaj!
      session.greeting.named | Witaj ponownie, %1$@!
      session.greeting.back | Witaj ponownie!
      session.ended.notice error.session_rejected error.session_expired error.ambiguous_loss | \
        Twoja sesja została zakończona. Zaloguj się ponownie.
      session.ended.elsewhere | Inna aplikacja na tym urządzeniu wylogowała Cię z konta.
      session.card.title | Twoja sesja
      session.card.expires | Pozostały czas ważności: %1$@
      session.card.stale | Brak potwierdzenia z usługi od czasu utraty połączenia
      session.card.unsaved | Sesja nie jest jeszcze zapisana: po restarcie może być konieczne ponowne zalogowanie się.
      session.sign_out.button | Wyloguj się
      session.sign_out.everywhere | Wyloguj się na wszystkich urządzeniach
      session.sign_out.working accounts.remove.working | Trwa wylogowywanie
      session.loss.title | Wylogować się mimo utraty części danych?
      session.loss.explanation | Część Twoich danych jest tylko tutaj: wylogowanie usunie ją na zawsze.
      session.loss.title.anonymous_account | Wylogować się i utracić to konto?
      session.loss.explanation.anonymous_account error.confirmation_required | \
        Do tego konta nie dodano sposobu logowania: wylogowanie usunie je na zawsze.
      session.loss.confirm | Wyloguj się i usuń
      session.loss.keep | Nie wylogowuj się
      accounts.list.title | Konta
      accounts.list.name | %1$@ (%2$@)
      accounts.list.current | W użyciu
      accounts.list.signed_out | %1$@, wylogowano
      accounts.add.button | Dodaj konto
      accounts.use.working | Trwa przełączanie konta
      accounts.remove.button | Usuń %1$@ z tego urządzenia
      session.signed_out.title | Wylogowano.
      session.signed_out.not_erased | \
        Wylogowano, ale nie udało się usunąć danych logowania z tego urządzenia: po restarcie może nastąpić ponowne \
        zalogowanie. Spróbuj ponownie.
      session.sign_out.retry | Ponów wylogowanie
      session.signed_out.remote_failed | \
        Wylogowano na tym urządzeniu. Usługa zostanie o tym powiadomiona, gdy tylko będzie dostępna.
      error.blank_user_name | Wpisz nazwę użytkownika.
      error.terms_not_accepted | Zaakceptuj wymagane zgody, aby utworzyć konto.
      error.empty_password | Wpisz hasło.
      error.empty_code | Wpisz kod.
      error.malformed_code | Kod ma inną długość. Sprawdź go i wpisz w całości.
      error.invalid_phone_number | Wpisz numer telefonu z numerem kierunkowym kraju, na przykład +44 20 7946 0018.
      error.invalid_email_address | Wpisz adres e-mail, na przykład nazwa@example.com.
      error.invalid_link | Ten link dotyczy innego logowania. Otwórz link z najnowszego e-maila.
      error.challenge_replaced | W międzyczasie wysłano nowy kod. Wpisz najnowszy kod.
      error.invalid_credentials | \
        Nieprawidłowa nazwa użytkownika lub nieprawidłowe hasło. Sprawdź oba pola i spróbuj ponownie.
      error.wrong_code | Kod jest nieprawidłowy. Sprawdź go i wpisz ponownie.
      error.wrong_code.left.one | Kod jest nieprawidłowy. Pozostała %1$@ próba.
      error.wrong_code.left.few | Kod jest nieprawidłowy. Pozostały %1$@ próby.
      error.wrong_code.left.many | Kod jest nieprawidłowy. Pozostało %1$@ prób.
      error.wrong_code.left.other | Kod jest nieprawidłowy. Pozostało %1$@ próby.
      error.code_expired | Kod stracił ważność. Poproś o nowy kod.
      error.code_reused | Ten kod został już użyty. Poczekaj na następny.
      error.too_many_attempts error.rate_limited | Zbyt wiele prób. Odczekaj chwilę i spróbuj ponownie.
      error.too_many_attempts.wait | Zbyt wiele prób. Czas do następnej próby: %1$@.
      error.account_exists | Konto z tymi danymi już istnieje. Zaloguj się na to konto.
      error.weak_password | Hasło nie spełnia wszystkich wymagań. Ustaw inne hasło.
      error.captcha_required | Potwierdź, że nie jesteś robotem, i spróbuj ponownie.
      error.already_linked | Ten sposób logowania jest przypisany do innego konta.
      error.recent_sign_in_required error.insufficient_user_authentication | \
        Zaloguj się ponownie, aby kontynuować: to chroni Twoje konto.
      error.user_mismatch | To jest inne konto. Zaloguj się na konto, którego tutaj używasz.
      error.last_method | To Twój jedyny sposób logowania. Najpierw dodaj inny.
      error.user_disabled | To konto jest zamknięte. Skontaktuj się z pomocą techniczną.
      error.sign_up_refused | Nie udało się utworzyć tego konta. Podaj inną nazwę użytkownika lub inne hasło.
      error.unreachable | Brak połączenia. Spróbuj ponownie, gdy będziesz online.
      error.timed_out error.connection_lost error.server_failed | Usługa nie odpowiada. Spróbuj ponownie później.
      error.insecure_connection | Nie udało się nawiązać bezpiecznego połączenia. Spróbuj w innej sieci.
      error.other_sessions_remain | \
        Wylogowano na tym urządzeniu, ale być może nie na pozostałych. Zaloguj się ponownie, aby wylogować się także \
        tam.
      error.not_signed_in | Zaloguj się, aby kontynuować.
      error.not_verified | Logowanie nie zostało zaakceptowane. Spróbuj ponownie.
      error.user_presence_required | Odblokuj bezpieczną pamięć tego urządzenia, aby kontynuować.
      error.storage_unavailable | Nie można teraz użyć bezpiecznej pamięci tego urządzenia. Spróbuj ponownie.
      error.storage_corrupt | Nie można odczytać zapisanych danych logowania. Zaloguj się ponownie.
      error.declined | Logowanie zostało odrzucone. Spróbuj ponownie lub wybierz inny sposób.
      error.sign_in_expired | Trwało to zbyt długo. Zacznij od nowa.
      error.clock_skewed | Zegar tego urządzenia jest źle ustawiony. Ustaw go poprawnie i spróbuj ponownie.
      error.security | Nie udało się zweryfikować logowania, więc zostało ono przerwane. Spróbuj ponownie.
      error.browser_unavailable | Nie udało się otworzyć przeglądarki.
      error.insufficient_scope | Twoje konto nie ma do tego uprawnień.
      error.unsupported_method | Ten sposób logowania nie jest tutaj dostępny. Wybierz inny.
      error.unknown | Coś poszło nie tak. Spróbuj ponownie.
      time.seconds.one | %1$@ sekunda
      time.seconds.few | %1$@ sekundy
      time.seconds.many | %1$@ sekund
      time.seconds.other | %1$@ sekundy
      time.minutes.one | %1$@ minuta
      time.minutes.few | %1$@ minuty
      time.minutes.many | %1$@ minut
      time.minutes.other | %1$@ minuty
      reset.ask.title | Ustaw inne hasło
      reset.ask.button reauthentication.submit.button | Kontynuuj
      reset.ask.working | Trwa wysyłanie wiadomości
      reset.sent.title | Jeśli konto %1$@ istnieje, wiadomość została wysłana.
      reset.done.title | Twoje hasło zostało zmienione.
      reset.done.sign_in | Zaloguj się za pomocą nowego hasła
      conflict.ask.title | Masz już konto
      conflict.ask.explanation | Zaloguj się na to konto, a ten sposób logowania zostanie dodany.
      conflict.decline.button reauthentication.decline.button | Nie teraz
      conflict.link.working | Trwa dodawanie sposobu logowania do Twojego konta
      conflict.linked.title | Sposób logowania został dodany do Twojego konta.
      conflict.expired.title | Trwało to zbyt długo. Zacznij od nowa.
      reauthentication.ask.title | Potwierdź, że to Ty
      reauthentication.ask.explanation | Zaloguj się ponownie, aby kontynuować: to chroni Twoje konto.
      account.page.title | Twoje konto
      account.page.retry | Spróbuj ponownie
      account.page.working | Trwa wczytywanie Twojego konta
      account.change.working | Trwa zapisywanie zmiany
      account.method.password | Hasło
      account.method.phone-code | Numer telefonu
      account.method.email-code | Kod e-mailem
      account.method.email-link | Link e-mailem
      account.method.passkey | Klucz dostępu
      account.method.apple | Apple
      account.method.google | Google
      account.method.facebook | Facebook
      account.method.browser | Przeglądarka
      account.method.device | Inne urządzenie
      account.method.anonymous | Bez konta
      account.method.unlock | Odblokowanie
      account.methods.title | Sposoby logowania
      account.methods.unlink account.factors.remove | Usuń: %1$@
      account.sessions.title | Zalogowane urządzenia
      account.sessions.current | To urządzenie
      account.sessions.end | Wyloguj: %1$@
      account.sessions.elsewhere | Inne urządzenie
      account.factors.title | Drugi składnik logowania i klucze dostępu
      account.factors.add account.enrol.title | Dodaj aplikację uwierzytelniającą
      account.factors.add_kind | Dodaj: %1$@
      account.enrol.explanation | \
        Zeskanuj kod QR w aplikacji lub wpisz w niej ten klucz, a potem wpisz tutaj kod, który się w niej pojawi.
      account.delete.button | Usuń konto
      account.delete.title | Usunąć konto na zawsze?
      account.delete.confirm | Usuń na zawsze
      account.delete.keep | Zachowaj konto
      account.delete.working | Trwa usuwanie konta
      account.deleted.title | Twoje konto zostało usunięte.
      """)["pl"] ?? [:])

  /// 1; 2 to 4, but not 12 to 14; every other whole number (Unicode CLDR, Language Plural Rules).
  private static func polishForm(_ count: Int) -> PluralCategory {
    if count == 1 { return .one }
    return (2...4).contains(count % 10) && !(12...14).contains(count % 100) ? .few : .many
  }
}
