public import AuthenticationPresentation

extension Language {
  /// French, which is complete; no native speaker has reviewed it.
  public static let french = Language(
    "fr", isReviewed: false, plural: { (0...1).contains($0) ? .one : .other },
    table: tables(
      """
      key | fr
      methods.list.title form.sign_in.title | Connexion
      form.submit.button | Se connecter
      methods.list.last_used | Dernière méthode utilisée
      method.password.button | Continuer avec un mot de passe
      method.phone-code.button | Continuer avec un numéro de téléphone
      method.email-code.button | Continuer avec un code par e-mail
      method.email-link.button | Continuer avec un lien par e-mail
      method.passkey.button | Continuer avec une clé d’identification
      method.apple.button | Se connecter avec Apple
      method.google.button | Continuer avec Google
      method.facebook.button | Continuer avec Facebook
      method.browser.button | Continuer dans le navigateur
      method.device.button | Continuer sur un autre appareil
      method.anonymous.button | Continuer sans compte
      method.unlock.button locked.store.retry | Déverrouiller
      form.submit.working | Connexion en cours
      form.cancel.button | Annuler
      form.forgot.button | Mot de passe oublié ?
      form.sign_up.button sign_up.form.title | Créer un compte
      form.locked_out.title code.spent.title | Trop de tentatives
      form.locked_out.left | Réessayez dans %1$@.
      field.user_name.label | Nom d’utilisateur
      field.password.label | Mot de passe
      field.new_password.label | Nouveau mot de passe
      field.phone_number.label | Numéro de téléphone
      field.email_address.label | Adresse e-mail
      field.code.label | Code
      field.password.show | Afficher le mot de passe
      field.password.hide | Masquer le mot de passe
      field.password.shown | Le mot de passe est visible.
      field.password.hidden | Le mot de passe est masqué.
      sign_up.submit.button | Créer le compte
      sign_up.submit.working | Création du compte
      sign_up.terms.agree | J’accepte : %1$@
      sign_up.terms.required | J’accepte : %1$@ (obligatoire)
      sign_up.terms.read | Lire : %1$@
      sign_up.exists.title | Un compte existe déjà
      sign_up.exists.sign_in | Se connecter à ce compte
      sign_up.exists.reset | Choisir un autre mot de passe
      sign_up.back.button | Retour
      browser.open.title | Connectez-vous sur la page qui s’est ouverte
      browser.open.again | Rouvrir la page
      passkey.prompt.title | Connexion avec une clé d’identification
      passkey.prompt.button | Utiliser une clé d’identification
      device.request.working | Obtention d’un code
      device.showing.title | Connexion sur un autre appareil
      device.showing.address | Ouvrez %1$@ sur l’autre appareil.
      device.showing.code | Saisissez-y ce code. Il est identique sur les deux écrans :
      device.showing.spoken | Le code est %1$@.
      device.showing.qr | Un code QR qui ouvre %1$@
      device.showing.left | Le code expire dans %1$@.
      device.denied.title | La connexion a été refusée sur l’autre appareil.
      device.expired.title code.expired.title | Le code n’est plus valide.
      device.new_code.button | Obtenir un nouveau code
      locked.store.title | Vos informations de connexion enregistrées sont verrouillées
      offline.banner.title | Vous êtes hors ligne. Votre session reste ouverte.
      offline.banner.retry accounts.list.retry | Réessayer
      code.entry.title | Saisissez le code
      code.entry.sent | Un code a été envoyé à %1$@.
      code.entry.authenticator | Saisissez le code affiché par votre app d’authentification.
      code.entry.recovery | Saisissez l’un de vos codes de récupération.
      code.entry.restored | Ce code vous a déjà été demandé. Aucun autre n’a été envoyé.
      code.entry.by_itself | Le code est transmis automatiquement dès qu’il est complet.
      code.entry.resent | Un autre code a été envoyé.
      code.entry.expires.one | Le code expire dans %1$@ seconde.
      code.entry.expires.other | Le code expire dans %1$@ secondes.
      code.submit.button | Confirmer
      code.submit.working | Vérification du code
      code.resend.button | Envoyer un autre code
      code.resend.wait | Un autre code pourra être envoyé dans %1$@.
      code.resend.working | Envoi d’un autre code
      code.start_again.button | Recommencer
      code.other.button | Choisir une autre méthode
      link.ask.title | Connexion par e-mail
      link.ask.button | Envoyer un lien
      link.ask.working | Envoi du lien
      link.waiting.title | Ouvrez le lien reçu par e-mail
      link.waiting.sent | Un lien a été envoyé à %1$@.
      link.waiting.restored | Vous attendiez un lien. Aucun autre n’a été envoyé.
      link.waiting.open_mail | Ouvrir l’app de messagerie
      link.resend.button | Envoyer un autre lien
      link.resend.wait | Un autre lien pourra être envoyé dans %1$@.
      link.elsewhere.title | Saisissez l’adresse à laquelle le lien a été envoyé
      link.expired.title | Le lien n’est plus valide.
      factors.choice.title | Choisissez comment continuer
      factors.kind.sms | Un code par SMS à %1$@
      factors.kind.email | Un code par e-mail à %1$@
      factors.kind.link | Un lien par e-mail à %1$@
      factors.kind.sms.bare | Un code par SMS
      factors.kind.email.bare | Un code par e-mail
      factors.kind.link.bare | Un lien par e-mail
      factors.kind.otp | Un code de votre app d’authentification
      factors.kind.recovery | Un code de récupération
      factors.kind.passkey | Une clé d’identification
      factors.kind.approval | Une confirmation sur un autre appareil
      factors.kind.unknown | Une autre méthode
      new_password.form.title | Choisissez un nouveau mot de passe
      new_password.submit.button | Enregistrer le mot de passe
      new_password.submit.working | Enregistrement du mot de passe
      password.rule.length.one | Au moins %1$@ caractère
      password.rule.length.other | Au moins %1$@ caractères
      password.rule.uppercase | Une lettre majuscule
      password.rule.lowercase | Une lettre minuscule
      password.rule.digit | Un chiffre
      password.rule.symbol | Un caractère autre qu’une lettre ou un chiffre
      password.rule.met | Règle respectée
      password.rule.unmet | Règle pas encore respectée
      session.greeting.new | Bienvenue !
      session.greeting.named | Bon retour, %1$@ !
      session.greeting.back | Bon retour !
      session.ended.notice error.session_rejected error.session_expired error.ambiguous_loss | \
        Votre session est terminée. Reconnectez-vous.
      session.ended.elsewhere | Une autre app de cet appareil a fermé votre session.
      session.card.title | Votre session
      session.card.expires | Expire dans %1$@
      session.card.stale | Non vérifiée auprès du service depuis qu’il est injoignable
      session.card.unsaved | Pas encore enregistrée : vous devrez peut-être vous reconnecter après un redémarrage.
      session.sign_out.button | Se déconnecter
      session.sign_out.everywhere | Se déconnecter de tous les appareils
      session.sign_out.working accounts.remove.working | Déconnexion en cours
      session.loss.title | Se déconnecter et perdre des données ?
      session.loss.explanation | \
        Certaines de vos données n’existent qu’ici : si vous vous déconnectez, elles seront supprimées définitivement.
      session.loss.title.anonymous_account | Se déconnecter et perdre ce compte ?
      session.loss.explanation.anonymous_account error.confirmation_required | \
        Vous n’avez ajouté aucune méthode de connexion : si vous vous déconnectez, ce compte sera supprimé \
        définitivement.
      session.loss.confirm | Se déconnecter et supprimer
      session.loss.keep | Garder la session ouverte
      accounts.list.title | Comptes
      accounts.list.name | %1$@ (%2$@)
      accounts.list.current | Utilisé actuellement
      accounts.list.signed_out | %1$@, déconnecté
      accounts.add.button | Ajouter un compte
      accounts.use.working | Changement de compte en cours
      accounts.remove.button | Retirer %1$@ de cet appareil
      session.signed_out.title | Déconnexion effectuée.
      session.signed_out.not_erased | \
        La déconnexion est effectuée, mais vos informations de connexion n’ont pas pu être supprimées de cet \
        appareil : après un redémarrage, votre session pourrait se rouvrir. Réessayez.
      session.sign_out.retry | Réessayer de se déconnecter
      session.signed_out.remote_failed | \
        La déconnexion est effectuée ici. Le service en sera informé dès qu’il sera joignable.
      error.blank_user_name | Saisissez votre nom d’utilisateur.
      error.terms_not_accepted | Acceptez ce qui est obligatoire pour créer le compte.
      error.empty_password | Saisissez votre mot de passe.
      error.empty_code | Saisissez le code.
      error.malformed_code | Le code n’a pas la bonne longueur. Vérifiez-le et saisissez-le en entier.
      error.invalid_phone_number | \
        Saisissez votre numéro de téléphone avec l’indicatif du pays, par exemple +33 1 99 00 12 34.
      error.invalid_email_address | Saisissez votre adresse e-mail, par exemple nom@example.com.
      error.invalid_link | Ce lien correspond à une autre connexion. Ouvrez celui de l’e-mail le plus récent.
      error.challenge_replaced | Un autre code a été envoyé entre-temps. Saisissez le plus récent.
      error.invalid_credentials | Le nom d’utilisateur ou le mot de passe est incorrect. Vérifiez-les et réessayez.
      error.wrong_code | Le code est incorrect. Vérifiez-le et saisissez-le à nouveau.
      error.wrong_code.left.one | Le code est incorrect. Il vous reste %1$@ tentative.
      error.wrong_code.left.other | Le code est incorrect. Il vous reste %1$@ tentatives.
      error.code_expired | Le code n’est plus valide. Demandez-en un autre.
      error.code_reused | Ce code a déjà été utilisé. Attendez le suivant.
      error.too_many_attempts error.rate_limited | Trop de tentatives. Patientez un peu, puis réessayez.
      error.too_many_attempts.wait | Trop de tentatives. Réessayez dans %1$@.
      error.account_exists | Un compte existe déjà avec ces informations. Connectez-vous plutôt à ce compte.
      error.weak_password | Le mot de passe ne respecte pas toutes les règles. Choisissez-en un autre.
      error.captcha_required | Confirmez que vous n’êtes pas un robot et réessayez.
      error.already_linked | Cette méthode de connexion est associée à un autre compte.
      error.recent_sign_in_required error.insufficient_user_authentication | \
        Reconnectez-vous pour continuer : cela protège votre compte.
      error.user_mismatch | Il s’agit d’un autre compte. Connectez-vous avec celui que vous utilisez ici.
      error.last_method | C’est votre seule méthode de connexion. Ajoutez-en d’abord une autre.
      error.user_disabled | Ce compte est désactivé. Contactez l’assistance.
      error.sign_up_refused | \
        Ce compte n’a pas pu être créé. Choisissez un autre nom d’utilisateur ou un autre mot de passe.
      error.unreachable | Aucune connexion réseau. Réessayez une fois en ligne.
      error.timed_out error.connection_lost error.server_failed | Le service ne répond pas. Réessayez plus tard.
      error.insecure_connection | Impossible d’établir une connexion sécurisée. Essayez un autre réseau.
      error.other_sessions_remain | \
        La déconnexion est effectuée ici, mais peut-être pas sur vos autres appareils. Reconnectez-vous pour vous \
        déconnecter aussi de ces appareils.
      error.not_signed_in | Connectez-vous pour continuer.
      error.not_verified | La connexion n’a pas été acceptée. Réessayez.
      error.user_presence_required | Déverrouillez le stockage sécurisé de cet appareil pour continuer.
      error.storage_unavailable | Le stockage sécurisé de cet appareil est indisponible pour le moment. Réessayez.
      error.storage_corrupt | Vos informations de connexion enregistrées sont illisibles. Reconnectez-vous.
      error.declined | La connexion a été refusée. Réessayez ou choisissez une autre méthode.
      error.sign_in_expired | Le délai est dépassé. Recommencez.
      error.clock_skewed | L’horloge de cet appareil n’est pas à l’heure. Réglez-la et réessayez.
      error.security | La connexion n’a pas pu être vérifiée et a été interrompue. Réessayez.
      error.browser_unavailable | Impossible d’ouvrir un navigateur.
      error.insufficient_scope | Votre compte n’est pas autorisé à effectuer cette action.
      error.unsupported_method | Cette méthode de connexion n’est pas proposée ici. Choisissez-en une autre.
      error.unknown | Une erreur s’est produite. Réessayez.
      time.seconds.one | %1$@ seconde
      time.seconds.other | %1$@ secondes
      time.minutes.one | %1$@ minute
      time.minutes.other | %1$@ minutes
      reset.ask.title | Choisir un autre mot de passe
      reset.ask.button reauthentication.submit.button | Continuer
      reset.ask.working | Envoi d’un message
      reset.sent.title | S’il existe un compte pour %1$@, un message a été envoyé.
      reset.done.title | Votre mot de passe a été modifié.
      reset.done.sign_in | Se connecter avec ce mot de passe
      conflict.ask.title | Vous avez déjà un compte
      conflict.ask.explanation | Connectez-vous à ce compte pour y ajouter cette méthode de connexion.
      conflict.decline.button reauthentication.decline.button | Pas maintenant
      conflict.link.working | Ajout de la méthode à votre compte
      conflict.linked.title | La méthode a été ajoutée à votre compte.
      conflict.expired.title | Le délai est dépassé. Recommencez.
      reauthentication.ask.title | Confirmez votre identité
      reauthentication.ask.explanation | Reconnectez-vous pour continuer : cela protège votre compte.
      account.page.title | Votre compte
      account.page.retry | Réessayer
      account.page.working | Chargement de votre compte
      account.change.working | Enregistrement de la modification
      account.method.password | Mot de passe
      account.method.phone-code | Numéro de téléphone
      account.method.email-code | Code par e-mail
      account.method.email-link | Lien par e-mail
      account.method.passkey | Clé d’identification
      account.method.apple | Apple
      account.method.google | Google
      account.method.facebook | Facebook
      account.method.browser | Navigateur
      account.method.device | Autre appareil
      account.method.anonymous | Sans compte
      account.method.unlock | Déverrouillage
      account.methods.title | Méthodes de connexion
      account.methods.unlink account.factors.remove | Retirer : %1$@
      account.sessions.title | Appareils connectés
      account.sessions.current | Cet appareil
      account.sessions.end | Déconnecter : %1$@
      account.sessions.elsewhere | Autre appareil
      account.factors.title | Seconds facteurs et clés d’identification
      account.factors.add account.enrol.title | Ajouter une app d’authentification
      account.factors.add_kind | Ajouter : %1$@
      account.enrol.explanation | \
        Scannez le code QR avec l’app ou saisissez-y cette clé, puis saisissez ici le code affiché par l’app.
      account.delete.button | Supprimer le compte
      account.delete.title | Supprimer définitivement le compte ?
      account.delete.confirm | Supprimer définitivement
      account.delete.keep | Conserver le compte
      account.delete.working | Suppression du compte
      account.deleted.title | Votre compte a été supprimé.
      """)["fr"] ?? [:])
}
