public import AuthenticationPresentation

extension Language {
  /// Spanish, which is complete; no native speaker has reviewed it.
  public static let spanish = Language(
    "es", isReviewed: false,
    table: tables(
      """
      key | es
      methods.list.title form.sign_in.title form.submit.button | Iniciar sesión
      methods.list.last_used | Último método usado
      method.password.button | Continuar con una contraseña
      method.phone-code.button | Continuar con un número de teléfono
      method.email-code.button | Continuar con un código por correo
      method.email-link.button | Continuar con un enlace por correo
      method.passkey.button | Continuar con una llave de acceso
      method.apple.button | Iniciar sesión con Apple
      method.google.button | Continuar con Google
      method.facebook.button | Continuar con Facebook
      method.browser.button | Continuar en el navegador
      method.device.button | Continuar en otro dispositivo
      method.anonymous.button | Continuar sin cuenta
      method.unlock.button locked.store.retry | Desbloquear
      form.submit.working | Iniciando sesión
      form.cancel.button | Cancelar
      form.forgot.button | ¿Has olvidado la contraseña?
      form.sign_up.button sign_up.form.title | Crear una cuenta
      form.locked_out.title code.spent.title | Demasiados intentos
      form.locked_out.left | Inténtalo de nuevo dentro de %1$@.
      field.user_name.label | Nombre de usuario
      field.password.label | Contraseña
      field.new_password.label | Nueva contraseña
      field.phone_number.label | Número de teléfono
      field.email_address.label | Dirección de correo electrónico
      field.code.label | Código
      field.password.show | Mostrar la contraseña
      field.password.hide | Ocultar la contraseña
      field.password.shown | La contraseña está visible.
      field.password.hidden | La contraseña está oculta.
      sign_up.submit.button | Crear la cuenta
      sign_up.submit.working | Creando la cuenta
      sign_up.terms.agree | Acepto: %1$@
      sign_up.terms.required | Acepto: %1$@ (obligatorio)
      sign_up.terms.read | Leer: %1$@
      sign_up.exists.title | Ya existe una cuenta
      sign_up.exists.sign_in | Iniciar sesión en esa cuenta
      sign_up.exists.reset | Elegir otra contraseña
      sign_up.back.button | Atrás
      browser.open.title | Inicia sesión en la página que se ha abierto
      browser.open.again | Volver a abrir la página
      passkey.prompt.title | Iniciar sesión con una llave de acceso
      passkey.prompt.button | Usar una llave de acceso
      device.request.working | Obteniendo un código
      device.showing.title | Iniciar sesión en otro dispositivo
      device.showing.address | Abre %1$@ en el otro dispositivo.
      device.showing.code | Introduce allí este código. Es el mismo en ambas pantallas:
      device.showing.spoken | El código es %1$@.
      device.showing.qr | Un código QR que abre %1$@
      device.showing.left | El código caduca dentro de %1$@.
      device.denied.title | El inicio de sesión se ha rechazado en el otro dispositivo.
      device.expired.title code.expired.title | El código ya no es válido.
      device.new_code.button | Obtener un código nuevo
      locked.store.title | Tus datos de inicio de sesión guardados están bloqueados
      offline.banner.title | Estás sin conexión. Tu sesión sigue iniciada.
      offline.banner.retry accounts.list.retry | Reintentar
      code.entry.title | Introduce el código
      code.entry.sent | Se ha enviado un código a %1$@.
      code.entry.authenticator | Introduce el código que muestra tu app de autenticación.
      code.entry.recovery | Introduce uno de tus códigos de recuperación.
      code.entry.restored | Ya se te había pedido este código. No se ha enviado ningún otro.
      code.entry.by_itself | El código se envía automáticamente en cuanto está completo.
      code.entry.resent | Se ha enviado otro código.
      code.entry.expires.one | El código caduca dentro de %1$@ segundo.
      code.entry.expires.other | El código caduca dentro de %1$@ segundos.
      code.submit.button | Confirmar
      code.submit.working | Comprobando el código
      code.resend.button | Enviar otro código
      code.resend.wait | Se podrá enviar otro código dentro de %1$@.
      code.resend.working | Enviando otro código
      code.start_again.button | Empezar de nuevo
      code.other.button | Elegir otro método
      link.ask.title | Iniciar sesión por correo
      link.ask.button | Enviar un enlace
      link.ask.working | Enviando el enlace
      link.waiting.title | Abre el enlace recibido por correo
      link.waiting.sent | Se ha enviado un enlace a %1$@.
      link.waiting.restored | Estabas esperando un enlace. No se ha enviado ningún otro.
      link.waiting.open_mail | Abrir la app de correo
      link.resend.button | Enviar otro enlace
      link.resend.wait | Se podrá enviar otro enlace dentro de %1$@.
      link.elsewhere.title | Introduce la dirección a la que se ha enviado el enlace
      link.expired.title | El enlace ya no es válido.
      factors.choice.title | Elige cómo continuar
      factors.kind.sms | Un código por SMS a %1$@
      factors.kind.email | Un código por correo a %1$@
      factors.kind.link | Un enlace por correo a %1$@
      factors.kind.sms.bare | Un código por SMS
      factors.kind.email.bare | Un código por correo
      factors.kind.link.bare | Un enlace por correo
      factors.kind.otp | Un código de tu app de autenticación
      factors.kind.recovery | Un código de recuperación
      factors.kind.passkey | Una llave de acceso
      factors.kind.approval | Una confirmación en otro dispositivo
      factors.kind.unknown | Otro método
      new_password.form.title | Elige una nueva contraseña
      new_password.submit.button | Guardar la contraseña
      new_password.submit.working | Guardando la contraseña
      password.rule.length.one | Al menos %1$@ carácter
      password.rule.length.other | Al menos %1$@ caracteres
      password.rule.uppercase | Una letra mayúscula
      password.rule.lowercase | Una letra minúscula
      password.rule.digit | Un número
      password.rule.symbol | Un carácter que no sea ni letra ni número
      password.rule.met | Se cumple
      password.rule.unmet | Aún no se cumple
      session.greeting.new | ¡Te damos la bienvenida!
      session.greeting.named | ¡Hola de nuevo, %1$@!
      session.greeting.back | ¡Hola de nuevo!
      session.ended.notice error.session_rejected error.session_expired error.ambiguous_loss | \
        Tu sesión ha finalizado. Vuelve a iniciar sesión.
      session.ended.elsewhere | Otra app de este dispositivo ha cerrado tu sesión.
      session.card.title | Tu sesión
      session.card.expires | Caduca dentro de %1$@
      session.card.stale | Sin comprobar con el servicio desde que dejó de estar disponible
      session.card.unsaved | Aún sin guardar: puede que tengas que volver a iniciar sesión tras un reinicio.
      session.sign_out.button | Cerrar sesión
      session.sign_out.everywhere | Cerrar sesión en todos los dispositivos
      session.sign_out.working accounts.remove.working | Cerrando sesión
      session.loss.title | ¿Cerrar sesión y perder datos?
      session.loss.explanation | Algunos de tus datos solo están aquí: si cierras sesión, se eliminarán para siempre.
      session.loss.title.anonymous_account | ¿Cerrar sesión y perder esta cuenta?
      session.loss.explanation.anonymous_account error.confirmation_required | \
        No has añadido ningún método de inicio de sesión: si cierras sesión, esta cuenta se eliminará para siempre.
      session.loss.confirm | Cerrar sesión y eliminar
      session.loss.keep | Mantener la sesión iniciada
      accounts.list.title | Cuentas
      accounts.list.name | %1$@ (%2$@)
      accounts.list.current | En uso
      accounts.list.signed_out | %1$@, sesión cerrada
      accounts.add.button | Añadir una cuenta
      accounts.use.working | Cambiando de cuenta
      accounts.remove.button | Quitar %1$@ de este dispositivo
      session.signed_out.title | Se ha cerrado la sesión.
      session.signed_out.not_erased | \
        Se ha cerrado la sesión, pero tus datos de inicio de sesión no se han podido eliminar de este dispositivo: \
        tras un reinicio, la sesión podría volver a iniciarse. Inténtalo de nuevo.
      session.sign_out.retry | Volver a intentar cerrar sesión
      session.signed_out.remote_failed | \
        Se ha cerrado la sesión aquí. Se informará al servicio en cuanto esté disponible.
      error.blank_user_name | Introduce tu nombre de usuario.
      error.terms_not_accepted | Acepta lo que es obligatorio para crear la cuenta.
      error.empty_password | Introduce tu contraseña.
      error.empty_code | Introduce el código.
      error.malformed_code | La longitud del código no es correcta. Compruébalo e introdúcelo completo.
      error.invalid_phone_number | \
        Introduce tu número de teléfono con el prefijo de país, por ejemplo, +44 20 7946 0018.
      error.invalid_email_address | Introduce tu dirección de correo electrónico, por ejemplo, nombre@example.com.
      error.invalid_link | Este enlace corresponde a otro inicio de sesión. Abre el del correo más reciente.
      error.challenge_replaced | Mientras tanto se ha enviado otro código. Introduce el más reciente.
      error.invalid_credentials | \
        El nombre de usuario o la contraseña no son correctos. Compruébalos e inténtalo de nuevo.
      error.wrong_code | El código no es correcto. Compruébalo e introdúcelo de nuevo.
      error.wrong_code.left.one | El código no es correcto. Te queda %1$@ intento.
      error.wrong_code.left.other | El código no es correcto. Te quedan %1$@ intentos.
      error.code_expired | El código ya no es válido. Solicita otro.
      error.code_reused | Este código ya se ha usado. Espera al siguiente.
      error.too_many_attempts error.rate_limited | Demasiados intentos. Espera un poco e inténtalo de nuevo.
      error.too_many_attempts.wait | Demasiados intentos. Inténtalo de nuevo dentro de %1$@.
      error.account_exists | Ya existe una cuenta con estos datos. Inicia sesión en esa cuenta.
      error.weak_password | La contraseña no cumple todas las reglas. Elige otra.
      error.captcha_required | Confirma que no eres un robot e inténtalo de nuevo.
      error.already_linked | Este método de inicio de sesión pertenece a otra cuenta.
      error.recent_sign_in_required error.insufficient_user_authentication | \
        Vuelve a iniciar sesión para continuar: así se protege tu cuenta.
      error.user_mismatch | Esta es otra cuenta. Inicia sesión con la que usas aquí.
      error.last_method | Este es tu único método de inicio de sesión. Añade otro primero.
      error.user_disabled | Esta cuenta está desactivada. Ponte en contacto con el soporte técnico.
      error.sign_up_refused | No se ha podido crear esta cuenta. Elige otro nombre de usuario u otra contraseña.
      error.unreachable | No hay conexión. Inténtalo de nuevo cuando la recuperes.
      error.timed_out error.connection_lost error.server_failed | El servicio no responde. Inténtalo de nuevo más tarde.
      error.insecure_connection | No se ha podido establecer una conexión segura. Prueba con otra red.
      error.other_sessions_remain | \
        Se ha cerrado la sesión aquí, pero quizá no en tus otros dispositivos. Vuelve a iniciar sesión para cerrarla \
        también en ellos.
      error.not_signed_in | Inicia sesión para continuar.
      error.not_verified | El inicio de sesión no se ha aceptado. Inténtalo de nuevo.
      error.user_presence_required | Desbloquea el almacenamiento seguro de este dispositivo para continuar.
      error.storage_unavailable | \
        El almacenamiento seguro de este dispositivo no está disponible en este momento. Inténtalo de nuevo.
      error.storage_corrupt | Tus datos de inicio de sesión guardados no se pueden leer. Vuelve a iniciar sesión.
      error.declined | El inicio de sesión se ha rechazado. Inténtalo de nuevo o elige otro método.
      error.sign_in_expired | Se ha agotado el tiempo. Empieza de nuevo.
      error.clock_skewed | La hora de este dispositivo no es correcta. Ajústala e inténtalo de nuevo.
      error.security | El inicio de sesión no se ha podido verificar y se ha detenido. Inténtalo de nuevo.
      error.browser_unavailable | No se ha podido abrir ningún navegador.
      error.insufficient_scope | Tu cuenta no tiene permiso para hacer esto.
      error.unsupported_method | Este método de inicio de sesión no está disponible aquí. Elige otro.
      error.unknown | Se ha producido un error. Inténtalo de nuevo.
      time.seconds.one | %1$@ segundo
      time.seconds.other | %1$@ segundos
      time.minutes.one | %1$@ minuto
      time.minutes.other | %1$@ minutos
      reset.ask.title | Elegir otra contraseña
      reset.ask.button reauthentication.submit.button | Continuar
      reset.ask.working | Enviando un mensaje
      reset.sent.title | Si existe una cuenta para %1$@, se ha enviado un mensaje.
      reset.done.title | Se ha cambiado tu contraseña.
      reset.done.sign_in | Iniciar sesión con esta contraseña
      conflict.ask.title | Ya tienes una cuenta
      conflict.ask.explanation | Inicia sesión en esa cuenta para añadirle este método de inicio de sesión.
      conflict.decline.button reauthentication.decline.button | Ahora no
      conflict.link.working | Añadiendo el método a tu cuenta
      conflict.linked.title | Se ha añadido el método a tu cuenta.
      conflict.expired.title | Se ha agotado el tiempo. Empieza de nuevo.
      reauthentication.ask.title | Confirma tu identidad
      reauthentication.ask.explanation | Vuelve a iniciar sesión para continuar: así se protege tu cuenta.
      account.page.title | Tu cuenta
      account.page.retry | Reintentar
      account.page.working | Cargando tu cuenta
      account.change.working | Guardando el cambio
      account.method.password | Contraseña
      account.method.phone-code | Número de teléfono
      account.method.email-code | Código por correo
      account.method.email-link | Enlace por correo
      account.method.passkey | Llave de acceso
      account.method.apple | Apple
      account.method.google | Google
      account.method.facebook | Facebook
      account.method.browser | Navegador
      account.method.device | Otro dispositivo
      account.method.anonymous | Sin cuenta
      account.method.unlock | Desbloqueo
      account.methods.title | Métodos de inicio de sesión
      account.methods.unlink account.factors.remove | Quitar: %1$@
      account.sessions.title | Dispositivos con la sesión iniciada
      account.sessions.current | Este dispositivo
      account.sessions.end | Cerrar sesión: %1$@
      account.sessions.elsewhere | Otro dispositivo
      account.factors.title | Segundos factores y llaves de acceso
      account.factors.add account.enrol.title | Añadir una app de autenticación
      account.factors.add_kind | Añadir: %1$@
      account.enrol.explanation | \
        Escanea el código QR con la app o escribe en ella esta clave y, a continuación, introduce aquí el código que \
        muestre.
      account.delete.button | Eliminar la cuenta
      account.delete.title | ¿Eliminar la cuenta para siempre?
      account.delete.confirm | Eliminar para siempre
      account.delete.keep | Conservar la cuenta
      account.delete.working | Eliminando la cuenta
      account.deleted.title | Se ha eliminado tu cuenta.
      """)["es"] ?? [:])
}
