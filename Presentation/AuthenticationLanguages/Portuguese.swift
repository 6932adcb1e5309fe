public import AuthenticationPresentation

extension Language {
  /// Brazilian Portuguese, which is complete; no native speaker has reviewed it.
  public static let portuguese = Language(
    "pt-BR", isReviewed: false, plural: { (0...1).contains($0) ? .one : .other },
    table: tables(
      """
      key | pt-BR
      methods.list.title form.sign_in.title form.submit.button | Iniciar sessão
      methods.list.last_used | Usado por último
      method.password.button | Continuar com uma senha
      method.phone-code.button | Continuar com um número de telefone
      method.email-code.button | Continuar com um código por e-mail
      method.email-link.button | Continuar com um link por e-mail
      method.passkey.button | Continuar com uma chave-senha
      method.apple.button | Iniciar sessão com a Apple
      method.google.button | Continuar com o Google
      method.facebook.button | Continuar com o Facebook
      method.browser.button | Continuar no navegador
      method.device.button | Continuar em outro dispositivo
      method.anonymous.button | Continuar sem uma conta
      method.unlock.button locked.store.retry | Desbloquear
      form.submit.working | Iniciando sessão
      form.cancel.button | Cancelar
      form.forgot.button | Esqueceu a senha?
      form.sign_up.button sign_up.form.title | Criar uma conta
      form.locked_out.title code.spent.title | Muitas tentativas
      form.locked_out.left | Tente novamente em %1$@.
      field.user_name.label | Nome de usuário
      field.password.label | Senha
      field.new_password.label | Nova senha
      field.phone_number.label | Número de telefone
      field.email_address.label | Endereço de e-mail
      field.code.label | Código
      field.password.show | Mostrar senha
      field.password.hide | Ocultar senha
      field.password.shown | A senha está visível.
      field.password.hidden | A senha está oculta.
      sign_up.submit.button | Criar a conta
      sign_up.submit.working | Criando a conta
      sign_up.terms.agree | Concordo: %1$@
      sign_up.terms.required | Concordo: %1$@ (obrigatório)
      sign_up.terms.read | Ler: %1$@
      sign_up.exists.title | Já existe uma conta
      sign_up.exists.sign_in | Iniciar sessão nessa conta
      sign_up.exists.reset | Escolher outra senha
      sign_up.back.button | Voltar
      browser.open.title | Inicie sessão na página que foi aberta
      browser.open.again | Abrir a página novamente
      passkey.prompt.title | Iniciar sessão com uma chave-senha
      passkey.prompt.button | Usar uma chave-senha
      device.request.working | Obtendo um código
      device.showing.title | Inicie sessão em outro dispositivo
      device.showing.address | Abra %1$@ nesse dispositivo.
      device.showing.code | Digite este código nele. É o mesmo nas duas telas:
      device.showing.spoken | O código é %1$@.
      device.showing.qr | Código QR que abre %1$@
      device.showing.left | O código é válido por mais %1$@.
      device.denied.title | O início de sessão foi recusado no outro dispositivo.
      device.expired.title code.expired.title | O código não é mais válido.
      device.new_code.button | Obter um novo código
      locked.store.title | Seus dados de acesso salvos estão bloqueados
      offline.banner.title | Você está offline. Sua sessão continua ativa.
      offline.banner.retry accounts.list.retry | Tentar novamente
      code.entry.title | Digite o código
      code.entry.sent | Um código foi enviado para %1$@.
      code.entry.authenticator | Digite o código mostrado pelo seu app autenticador.
      code.entry.recovery | Digite um dos seus códigos de recuperação.
      code.entry.restored | Este código já tinha sido pedido a você. Nenhum outro foi enviado.
      code.entry.by_itself | Assim que você o completar, o código será enviado automaticamente.
      code.entry.resent | Outro código foi enviado.
      code.entry.expires.one | O código é válido por mais %1$@ segundo.
      code.entry.expires.other | O código é válido por mais %1$@ segundos.
      code.submit.button | Confirmar
      code.submit.working | Verificando o código
      code.resend.button | Enviar outro código
      code.resend.wait | Você poderá solicitar outro código em %1$@.
      code.resend.working | Enviando outro código
      code.start_again.button | Recomeçar
      code.other.button | Escolher outra forma
      link.ask.title | Iniciar sessão por e-mail
      link.ask.button | Enviar um link
      link.ask.working | Enviando o link
      link.waiting.title | Abra o link no seu e-mail
      link.waiting.sent | Um link foi enviado para %1$@.
      link.waiting.restored | Você estava aguardando um link. Nenhum outro foi enviado.
      link.waiting.open_mail | Abrir o app de e-mail
      link.resend.button | Enviar outro link
      link.resend.wait | Você poderá solicitar outro link em %1$@.
      link.elsewhere.title | Digite o endereço para o qual o link foi enviado
      link.expired.title | O link não é mais válido.
      factors.choice.title | Escolha como continuar
      factors.kind.sms | Código por SMS para %1$@
      factors.kind.email | Código por e-mail para %1$@
      factors.kind.link | Link por e-mail para %1$@
      factors.kind.sms.bare | Código por SMS
      factors.kind.email.bare | Código por e-mail
      factors.kind.link.bare | Link por e-mail
      factors.kind.otp | Código do app autenticador
      factors.kind.recovery | Código de recuperação
      factors.kind.passkey | Chave-senha
      factors.kind.approval | Aprovação em outro dispositivo
      factors.kind.unknown | Outra forma
      new_password.form.title | Escolha uma nova senha
      new_password.submit.button | Salvar a senha
      new_password.submit.working | Salvando a senha
      password.rule.length.one | Pelo menos %1$@ caractere
      password.rule.length.other | Pelo menos %1$@ caracteres
      password.rule.uppercase | Uma letra maiúscula
      password.rule.lowercase | Uma letra minúscula
      password.rule.digit | Um número
      password.rule.symbol | Um caractere que não seja letra nem número
      password.rule.met | Atendido
      password.rule.unmet | Ainda não atendido
      session.greeting.new | Boas-vindas!
      session.greeting.named | Que bom ver você de novo, %1$@!
      session.greeting.back | Que bom ver você de novo!
      session.ended.notice error.session_rejected error.session_expired error.ambiguous_loss | \
        Sua sessão terminou. Inicie sessão novamente.
      session.ended.elsewhere | Outro app deste dispositivo finalizou sua sessão.
      session.card.title | Sua sessão
      session.card.expires | Válida por mais %1$@
      session.card.stale | Não verificada desde que o serviço ficou indisponível
      session.card.unsaved | Ainda não salva: após uma reinicialização, talvez seja necessário iniciar sessão novamente.
      session.sign_out.button | Finalizar sessão
      session.sign_out.everywhere | Finalizar sessão em todos os dispositivos
      session.sign_out.working accounts.remove.working | Finalizando sessão
      session.loss.title | Finalizar a sessão e perder alguns dados?
      session.loss.explanation | \
        Alguns dos seus dados só existem aqui: se você finalizar a sessão, eles serão apagados permanentemente.
      session.loss.title.anonymous_account | Finalizar a sessão e perder esta conta?
      session.loss.explanation.anonymous_account error.confirmation_required | \
        Você não adicionou uma forma de iniciar sessão: se você finalizar a sessão, esta conta será apagada \
        permanentemente.
      session.loss.confirm | Finalizar sessão e apagar
      session.loss.keep | Manter a sessão ativa
      accounts.list.title | Contas
      accounts.list.name | %1$@ (%2$@)
      accounts.list.current | Em uso
      accounts.list.signed_out | %1$@, sessão finalizada
      accounts.add.button | Adicionar uma conta
      accounts.use.working | Trocando de conta
      accounts.remove.button | Remover %1$@ deste dispositivo
      session.signed_out.title | Sua sessão foi finalizada.
      session.signed_out.not_erased | \
        Sua sessão foi finalizada, mas não foi possível remover seus dados de acesso deste dispositivo: após uma \
        reinicialização, sua sessão poderá voltar a ficar ativa. Tente novamente.
      session.sign_out.retry | Tentar finalizar a sessão novamente
      session.signed_out.remote_failed | \
        Sua sessão foi finalizada aqui. O serviço será avisado assim que estiver disponível.
      error.blank_user_name | Digite seu nome de usuário.
      error.terms_not_accepted | Concorde com o que é obrigatório para criar a conta.
      error.empty_password | Digite sua senha.
      error.empty_code | Digite o código.
      error.malformed_code | O código não tem o tamanho esperado. Confira e digite o código completo.
      error.invalid_phone_number | Digite seu número de telefone com o código do país, por exemplo, +44 20 7946 0018.
      error.invalid_email_address | Digite seu endereço de e-mail, por exemplo, nome@example.com.
      error.invalid_link | Este link pertence a outro início de sessão. Abra o link do e-mail mais recente.
      error.challenge_replaced | Nesse meio-tempo, outro código foi enviado. Digite o mais recente.
      error.invalid_credentials | O nome de usuário ou a senha não estão corretos. Confira os dois e tente novamente.
      error.wrong_code | O código não está correto. Confira e digite o código novamente.
      error.wrong_code.left.one | O código não está correto. Você ainda tem %1$@ tentativa.
      error.wrong_code.left.other | O código não está correto. Você ainda tem %1$@ tentativas.
      error.code_expired | O código não é mais válido. Solicite outro.
      error.code_reused | Este código já foi usado. Aguarde o próximo.
      error.too_many_attempts error.rate_limited | Muitas tentativas. Aguarde um pouco e tente novamente.
      error.too_many_attempts.wait | Muitas tentativas. Tente novamente em %1$@.
      error.account_exists | Já existe uma conta com esses dados. Inicie sessão nela.
      error.weak_password | A senha não atende a todos os requisitos. Escolha outra.
      error.captcha_required | Confirme que você não é um robô e tente novamente.
      error.already_linked | Esta forma de iniciar sessão pertence a outra conta.
      error.recent_sign_in_required error.insufficient_user_authentication | \
        Inicie sessão novamente para continuar: isso protege sua conta.
      error.user_mismatch | Esta é outra conta. Inicie sessão com a que você está usando aqui.
      error.last_method | Esta é sua única forma de iniciar sessão. Adicione outra primeiro.
      error.user_disabled | Esta conta está desativada. Entre em contato com o suporte.
      error.sign_up_refused | Não foi possível criar esta conta. Escolha outro nome de usuário ou outra senha.
      error.unreachable | Não há conexão. Tente novamente quando estiver online.
      error.timed_out error.connection_lost error.server_failed | O serviço não responde. Tente novamente mais tarde.
      error.insecure_connection | Não foi possível estabelecer uma conexão segura. Tente usar outra rede.
      error.other_sessions_remain | \
        Sua sessão foi finalizada aqui, mas talvez não nos seus outros dispositivos. Inicie sessão novamente para \
        finalizar a sessão neles.
      error.not_signed_in | Inicie sessão para continuar.
      error.not_verified | O início de sessão não foi aceito. Tente novamente.
      error.user_presence_required | Desbloqueie o armazenamento seguro deste dispositivo para continuar.
      error.storage_unavailable | \
        Não é possível usar o armazenamento seguro deste dispositivo no momento. Tente novamente.
      error.storage_corrupt | Não foi possível ler seus dados de acesso salvos. Inicie sessão novamente.
      error.declined | O início de sessão foi recusado. Tente novamente ou escolha outra forma.
      error.sign_in_expired | O tempo se esgotou. Comece novamente.
      error.clock_skewed | O relógio deste dispositivo está incorreto. Ajuste-o e tente novamente.
      error.security | O início de sessão foi interrompido porque não foi possível verificá-lo. Tente novamente.
      error.browser_unavailable | Não foi possível abrir um navegador.
      error.insufficient_scope | Sua conta não tem permissão para fazer isso.
      error.unsupported_method | Esta forma de iniciar sessão não está disponível aqui. Escolha outra.
      error.unknown | Ocorreu um erro. Tente novamente.
      time.seconds.one | %1$@ segundo
      time.seconds.other | %1$@ segundos
      time.minutes.one | %1$@ minuto
      time.minutes.other | %1$@ minutos
      reset.ask.title | Escolha outra senha
      reset.ask.button reauthentication.submit.button | Continuar
      reset.ask.working | Enviando uma mensagem para a conta
      reset.sent.title | Se existe uma conta para %1$@, uma mensagem foi enviada.
      reset.done.title | Sua senha foi alterada.
      reset.done.sign_in | Iniciar sessão com a nova senha
      conflict.ask.title | Você já tem uma conta
      conflict.ask.explanation | Inicie sessão nela, e esta forma de iniciar sessão será adicionada.
      conflict.decline.button reauthentication.decline.button | Agora não
      conflict.link.working | Adicionando à sua conta
      conflict.linked.title | A forma de iniciar sessão foi adicionada à sua conta.
      conflict.expired.title | O tempo se esgotou. Comece novamente.
      reauthentication.ask.title | Confirme sua identidade
      reauthentication.ask.explanation | Inicie sessão novamente para continuar: isso protege sua conta.
      account.page.title | Sua conta
      account.page.retry | Tentar novamente
      account.page.working | Carregando sua conta
      account.change.working | Salvando a alteração
      account.method.password | Senha
      account.method.phone-code | Número de telefone
      account.method.email-code | Código por e-mail
      account.method.email-link | Link por e-mail
      account.method.passkey | Chave-senha
      account.method.apple | Apple
      account.method.google | Google
      account.method.facebook | Facebook
      account.method.browser | Navegador
      account.method.device | Outro dispositivo
      account.method.anonymous | Sem conta
      account.method.unlock | Desbloqueio
      account.methods.title | Formas de iniciar sessão
      account.methods.unlink account.factors.remove | Remover: %1$@
      account.sessions.title | Onde você iniciou sessão
      account.sessions.current | Este dispositivo
      account.sessions.end | Finalizar sessão em: %1$@
      account.sessions.elsewhere | Outro dispositivo
      account.factors.title | Segundos fatores e chaves-senha
      account.factors.add account.enrol.title | Adicionar um app autenticador
      account.factors.add_kind | Adicionar: %1$@
      account.enrol.explanation | \
        Escaneie o código QR com o app ou digite esta chave. Depois, digite o código que o app mostrar.
      account.delete.button | Apagar a conta
      account.delete.title | Apagar a conta permanentemente?
      account.delete.confirm | Apagar permanentemente
      account.delete.keep | Manter a conta
      account.delete.working | Apagando a conta
      account.deleted.title | Sua conta foi apagada.
      """)["pt-BR"] ?? [:])
}
