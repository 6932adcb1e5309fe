public import AuthenticationPresentation

extension Language {
  /// Italian, which is complete; no native speaker has reviewed it.
  public static let italian = Language(
    "it", isReviewed: false,
    table: tables(
      """
      key | it
      methods.list.title form.sign_in.title form.submit.button | Accedi
      methods.list.last_used | Ultimo utilizzato
      method.password.button | Continua con una password
      method.phone-code.button | Continua con un numero di telefono
      method.email-code.button | Continua con un codice via email
      method.email-link.button | Continua con un link via email
      method.passkey.button | Continua con una passkey
      method.apple.button | Accedi con Apple
      method.google.button | Continua con Google
      method.facebook.button | Continua con Facebook
      method.browser.button | Continua nel browser
      method.device.button | Continua su un altro dispositivo
      method.anonymous.button | Continua senza account
      method.unlock.button locked.store.retry | Sblocca
      form.submit.working | Accesso in corso
      form.cancel.button | Annulla
      form.forgot.button | Password dimenticata?
      form.sign_up.button sign_up.form.title | Crea un account
      form.locked_out.title code.spent.title | Troppi tentativi
      form.locked_out.left | Riprova tra %1$@.
      field.user_name.label | Nome utente
      field.password.label | Password
      field.new_password.label | Nuova password
      field.phone_number.label | Numero di telefono
      field.email_address.label | Indirizzo email
      field.code.label | Codice
      field.password.show | Mostra password
      field.password.hide | Nascondi password
      field.password.shown | La password è visibile.
      field.password.hidden | La password è nascosta.
      sign_up.submit.button | Crea l’account
      sign_up.submit.working | Creazione dell’account in corso
      sign_up.terms.agree | Accetto: %1$@
      sign_up.terms.required | Accetto: %1$@ (obbligatorio)
      sign_up.terms.read | Leggi: %1$@
      sign_up.exists.title | Esiste già un account
      sign_up.exists.sign_in | Accedi a questo account
      sign_up.exists.reset | Scegli un’altra password
      sign_up.back.button | Indietro
      browser.open.title | Accedi nella pagina che si è aperta
      browser.open.again | Riapri la pagina
      passkey.prompt.title | Accedi con una passkey
      passkey.prompt.button | Usa una passkey
      device.request.working | Richiesta di un codice in corso
      device.showing.title | Accedi su un altro dispositivo
      device.showing.address | Apri %1$@ su quel dispositivo.
      device.showing.code | Inserisci lì questo codice. È lo stesso su entrambi gli schermi:
      device.showing.spoken | Il codice è %1$@.
      device.showing.qr | Codice QR che apre %1$@
      device.showing.left | Il codice sarà valido ancora per %1$@.
      device.denied.title | L’accesso è stato rifiutato sull’altro dispositivo.
      device.expired.title code.expired.title | Il codice non è più valido.
      device.new_code.button | Richiedi un nuovo codice
      locked.store.title | I tuoi dati di accesso salvati sono bloccati
      offline.banner.title | Sei offline. La tua sessione resta attiva.
      offline.banner.retry accounts.list.retry | Riprova
      code.entry.title | Inserisci il codice
      code.entry.sent | È stato inviato un codice a %1$@.
      code.entry.authenticator | Inserisci il codice mostrato dalla tua app di autenticazione.
      code.entry.recovery | Inserisci uno dei tuoi codici di recupero.
      code.entry.restored | Ti era già stato chiesto questo codice. Non ne è stato inviato un altro.
      code.entry.by_itself | Non appena lo completi, il codice viene inviato automaticamente.
      code.entry.resent | È stato inviato un altro codice.
      code.entry.expires.one | Il codice sarà valido ancora per %1$@ secondo.
      code.entry.expires.other | Il codice sarà valido ancora per %1$@ secondi.
      code.submit.button | Conferma
      code.submit.working | Verifica del codice in corso
      code.resend.button | Invia un altro codice
      code.resend.wait | Potrai richiedere un altro codice tra %1$@.
      code.resend.working | Invio di un altro codice in corso
      code.start_again.button | Ricomincia
      code.other.button | Scegli un altro metodo
      link.ask.title | Accedi via email
      link.ask.button | Invia un link
      link.ask.working | Invio del link in corso
      link.waiting.title | Apri il link nell’email
      link.waiting.sent | È stato inviato un link a %1$@.
      link.waiting.restored | Stavi aspettando un link. Non ne è stato inviato un altro.
      link.waiting.open_mail | Apri l’app di posta
      link.resend.button | Invia un altro link
      link.resend.wait | Potrai richiedere un altro link tra %1$@.
      link.elsewhere.title | Inserisci l’indirizzo a cui è stato inviato il link
      link.expired.title | Il link non è più valido.
      factors.choice.title | Scegli come continuare
      factors.kind.sms | Codice via SMS a %1$@
      factors.kind.email | Codice via email a %1$@
      factors.kind.link | Link via email a %1$@
      factors.kind.sms.bare | Codice via SMS
      factors.kind.email.bare | Codice via email
      factors.kind.link.bare | Link via email
      factors.kind.otp | Codice dell’app di autenticazione
      factors.kind.recovery | Codice di recupero
      factors.kind.passkey | Passkey
      factors.kind.approval | Approvazione su un altro dispositivo
      factors.kind.unknown | Altro metodo
      new_password.form.title | Scegli una nuova password
      new_password.submit.button | Salva la password
      new_password.submit.working | Salvataggio della password in corso
      password.rule.length.one | Almeno %1$@ carattere
      password.rule.length.other | Almeno %1$@ caratteri
      password.rule.uppercase | Una lettera maiuscola
      password.rule.lowercase | Una lettera minuscola
      password.rule.digit | Un numero
      password.rule.symbol | Un carattere diverso da lettere e numeri
      password.rule.met | Soddisfatto
      password.rule.unmet | Non ancora soddisfatto
      session.greeting.new | Ti diamo il benvenuto!
      session.greeting.named | Che bello rivederti, %1$@!
      session.greeting.back | Che bello rivederti!
      session.ended.notice error.session_rejected error.session_expired error.ambiguous_loss | \
        La tua sessione è terminata. Accedi di nuovo.
      session.ended.elsewhere | Un’altra app di questo dispositivo ha chiuso la tua sessione.
      session.card.title | La tua sessione
      session.card.expires | Valida ancora per %1$@
      session.card.stale | Non verificata da quando il servizio non è raggiungibile
      session.card.unsaved | Non ancora salvata: dopo un riavvio potresti dover accedere di nuovo.
      session.sign_out.button | Esci
      session.sign_out.everywhere | Esci da tutti i dispositivi
      session.sign_out.working accounts.remove.working | Uscita in corso
      session.loss.title | Vuoi uscire e perdere alcuni dati?
      session.loss.explanation | Alcuni dei tuoi dati si trovano solo qui: se esci, verranno eliminati definitivamente.
      session.loss.title.anonymous_account | Vuoi uscire e perdere questo account?
      session.loss.explanation.anonymous_account error.confirmation_required | \
        Non hai aggiunto un metodo di accesso: se esci, questo account verrà eliminato definitivamente.
      session.loss.confirm | Esci ed elimina
      session.loss.keep | Mantieni l’accesso
      accounts.list.title | Account
      accounts.list.name | %1$@ (%2$@)
      accounts.list.current | In uso
      accounts.list.signed_out | %1$@, disconnesso
      accounts.add.button | Aggiungi un account
      accounts.use.working | Cambio di account in corso
      accounts.remove.button | Rimuovi %1$@ da questo dispositivo
      session.signed_out.title | Hai effettuato l’uscita.
      session.signed_out.not_erased | \
        Hai effettuato l’uscita, ma non è stato possibile rimuovere i tuoi dati di accesso da questo dispositivo: \
        dopo un riavvio la tua sessione potrebbe essere di nuovo attiva. Riprova.
      session.sign_out.retry | Riprova a uscire
      session.signed_out.remote_failed | \
        Hai effettuato l’uscita qui. Il servizio verrà informato non appena sarà raggiungibile.
      error.blank_user_name | Inserisci il tuo nome utente.
      error.terms_not_accepted | Accetta quanto è obbligatorio per creare l’account.
      error.empty_password | Inserisci la tua password.
      error.empty_code | Inserisci il codice.
      error.malformed_code | Il codice ha una lunghezza diversa dal previsto. Controllalo e inseriscilo per intero.
      error.invalid_phone_number | \
        Inserisci il tuo numero di telefono con il prefisso internazionale, ad esempio +44 20 7946 0018.
      error.invalid_email_address | Inserisci il tuo indirizzo email, ad esempio nome@example.com.
      error.invalid_link | Questo link si riferisce a un altro accesso. Apri quello nell’email più recente.
      error.challenge_replaced | Nel frattempo è stato inviato un altro codice. Inserisci il più recente.
      error.invalid_credentials | Il nome utente o la password non sono corretti. Controlla entrambi e riprova.
      error.wrong_code | Il codice non è corretto. Controllalo e inseriscilo di nuovo.
      error.wrong_code.left.one | Il codice non è corretto. Hai ancora %1$@ tentativo.
      error.wrong_code.left.other | Il codice non è corretto. Hai ancora %1$@ tentativi.
      error.code_expired | Il codice non è più valido. Richiedine un altro.
      error.code_reused | Questo codice è già stato usato. Attendi il prossimo.
      error.too_many_attempts error.rate_limited | Troppi tentativi. Attendi un po’, poi riprova.
      error.too_many_attempts.wait | Troppi tentativi. Riprova tra %1$@.
      error.account_exists | Esiste già un account con questi dati. Usalo per accedere.
      error.weak_password | La password non soddisfa tutti i requisiti. Scegline un’altra.
      error.captcha_required | Conferma di non essere un robot e riprova.
      error.already_linked | Questo metodo di accesso appartiene a un altro account.
      error.recent_sign_in_required error.insufficient_user_authentication | \
        Accedi di nuovo per continuare: serve a proteggere il tuo account.
      error.user_mismatch | Questo è un altro account. Accedi con quello che stai usando qui.
      error.last_method | Questo è il tuo unico metodo di accesso. Prima aggiungine un altro.
      error.user_disabled | Questo account è disattivato. Contatta l’assistenza.
      error.sign_up_refused | \
        Non è stato possibile creare questo account. Scegli un altro nome utente o un’altra password.
      error.unreachable | Nessuna connessione. Riprova quando sei online.
      error.timed_out error.connection_lost error.server_failed | Il servizio non risponde. Riprova più tardi.
      error.insecure_connection | Non è stato possibile stabilire una connessione sicura. Prova con un’altra rete.
      error.other_sessions_remain | \
        Hai effettuato l’uscita qui, ma forse non sugli altri tuoi dispositivi. Accedi di nuovo per uscire anche da \
        quelli.
      error.not_signed_in | Accedi per continuare.
      error.not_verified | L’accesso non è stato accettato. Riprova.
      error.user_presence_required | Sblocca l’archivio protetto di questo dispositivo per continuare.
      error.storage_unavailable | Al momento non è possibile usare l’archivio protetto di questo dispositivo. Riprova.
      error.storage_corrupt | Non è stato possibile leggere i tuoi dati di accesso salvati. Accedi di nuovo.
      error.declined | L’accesso è stato rifiutato. Riprova o scegli un altro metodo.
      error.sign_in_expired | È passato troppo tempo. Ricomincia.
      error.clock_skewed | L’ora di questo dispositivo non è corretta. Regolala e riprova.
      error.security | L’accesso è stato interrotto perché non è stato possibile verificarlo. Riprova.
      error.browser_unavailable | Non è stato possibile aprire un browser.
      error.insufficient_scope | Il tuo account non è autorizzato a farlo.
      error.unsupported_method | Questo metodo di accesso non è disponibile qui. Scegline un altro.
      error.unknown | Si è verificato un errore. Riprova.
      time.seconds.one | %1$@ secondo
      time.seconds.other | %1$@ secondi
      time.minutes.one | %1$@ minuto
      time.minutes.other | %1$@ minuti
      reset.ask.title | Scegli un’altra password
      reset.ask.button reauthentication.submit.button | Continua
      reset.ask.working | Invio di un messaggio all’account in corso
      reset.sent.title | Se esiste un account per %1$@, è stato inviato un messaggio.
      reset.done.title | La tua password è stata modificata.
      reset.done.sign_in | Accedi con la nuova password
      conflict.ask.title | Hai già un account
      conflict.ask.explanation | Accedi a quell’account e questo metodo di accesso verrà aggiunto.
      conflict.decline.button reauthentication.decline.button | Non ora
      conflict.link.working | Aggiunta al tuo account in corso
      conflict.linked.title | Il metodo di accesso è stato aggiunto al tuo account.
      conflict.expired.title | È passato troppo tempo. Ricomincia.
      reauthentication.ask.title | Conferma la tua identità
      reauthentication.ask.explanation | Accedi di nuovo per continuare: serve a proteggere il tuo account.
      account.page.title | Il tuo account
      account.page.retry | Riprova
      account.page.working | Caricamento del tuo account in corso
      account.change.working | Salvataggio della modifica in corso
      account.method.password | Password
      account.method.phone-code | Numero di telefono
      account.method.email-code | Codice via email
      account.method.email-link | Link via email
      account.method.passkey | Passkey
      account.method.apple | Apple
      account.method.google | Google
      account.method.facebook | Facebook
      account.method.browser | Browser
      account.method.device | Altro dispositivo
      account.method.anonymous | Senza account
      account.method.unlock | Sblocco
      account.methods.title | Metodi di accesso
      account.methods.unlink account.factors.remove | Rimuovi: %1$@
      account.sessions.title | Dove hai effettuato l’accesso
      account.sessions.current | Questo dispositivo
      account.sessions.end | Esci da: %1$@
      account.sessions.elsewhere | Altro dispositivo
      account.factors.title | Secondi fattori e passkey
      account.factors.add account.enrol.title | Aggiungi un’app di autenticazione
      account.factors.add_kind | Aggiungi: %1$@
      account.enrol.explanation | \
        Scansiona il codice QR con l’app o digita questa chiave, poi inserisci il codice che l’app mostra.
      account.delete.button | Elimina l’account
      account.delete.title | Vuoi eliminare definitivamente l’account?
      account.delete.confirm | Elimina definitivamente
      account.delete.keep | Mantieni l’account
      account.delete.working | Eliminazione dell’account in corso
      account.deleted.title | Il tuo account è stato eliminato.
      """)["it"] ?? [:])
}
