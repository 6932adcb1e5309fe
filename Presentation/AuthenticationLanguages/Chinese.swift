public import AuthenticationPresentation

extension Language {
  /// Simplified Chinese, which is complete; no native speaker has reviewed it.
  public static let chinese = Language(
    "zh-Hans", isReviewed: false, plural: { _ in .other },
    table: tables(
      """
      key | zh-Hans
      methods.list.title form.sign_in.title form.submit.button | 登录
      methods.list.last_used | 上次使用
      method.password.button | 使用密码继续
      method.phone-code.button | 使用电话号码继续
      method.email-code.button | 使用邮件验证码继续
      method.email-link.button | 使用邮件链接继续
      method.passkey.button | 使用通行密钥继续
      method.apple.button | 通过 Apple 登录
      method.google.button | 使用 Google 继续
      method.facebook.button | 使用 Facebook 继续
      method.browser.button | 在浏览器中继续
      method.device.button | 在另一台设备上继续
      method.anonymous.button | 不使用账户继续
      method.unlock.button locked.store.retry | 解锁
      form.submit.working | 正在登录
      form.cancel.button | 取消
      form.forgot.button | 忘记密码？
      form.sign_up.button sign_up.form.title | 创建账户
      form.locked_out.title code.spent.title | 尝试次数过多
      form.locked_out.left | 重试前还需等待 %1$@。
      field.user_name.label | 用户名
      field.password.label | 密码
      field.new_password.label | 新密码
      field.phone_number.label | 电话号码
      field.email_address.label | 电子邮件地址
      field.code.label | 验证码
      field.password.show | 显示密码
      field.password.hide | 隐藏密码
      field.password.shown | 密码已显示。
      field.password.hidden | 密码已隐藏。
      sign_up.submit.button | 创建账户
      sign_up.submit.working | 正在创建账户
      sign_up.terms.agree | 我同意：%1$@
      sign_up.terms.required | 我同意：%1$@（必选）
      sign_up.terms.read | 阅读：%1$@
      sign_up.exists.title | 账户已存在
      sign_up.exists.sign_in | 登录该账户
      sign_up.exists.reset | 重设密码
      sign_up.back.button | 返回
      browser.open.title | 请在打开的页面上登录
      browser.open.again | 再次打开页面
      passkey.prompt.title | 使用通行密钥登录
      passkey.prompt.button | 使用通行密钥
      device.request.working | 正在获取代码
      device.showing.title | 在另一台设备上登录
      device.showing.address | 请在该设备上打开 %1$@。
      device.showing.code | 请在打开的页面上输入此代码。两个屏幕上的代码相同：
      device.showing.spoken | 代码是 %1$@。
      device.showing.qr | 用于打开 %1$@ 的二维码
      device.showing.left | 代码剩余有效时间：%1$@。
      device.denied.title | 登录已在另一台设备上被拒绝。
      device.expired.title | 代码已失效。
      code.expired.title | 验证码已失效。
      device.new_code.button | 获取新代码
      locked.store.title | 存储的登录信息已锁定
      offline.banner.title | 你已离线，但仍保持登录。
      offline.banner.retry accounts.list.retry | 重试
      code.entry.title | 输入验证码
      code.entry.sent | 验证码已发送至 %1$@。
      code.entry.authenticator | 请输入身份验证 App 中显示的验证码。
      code.entry.recovery | 请输入一个恢复码。
      code.entry.restored | 这是之前要求你输入的验证码，没有再发送新的验证码。
      code.entry.by_itself | 输入完整后将自动提交。
      code.entry.resent | 已重新发送验证码。
      code.entry.expires.other | 验证码剩余有效时间：%1$@ 秒。
      code.submit.button | 确认
      code.submit.working | 正在核对验证码
      code.resend.button | 重新发送验证码
      code.resend.wait | 重新发送验证码前还需等待 %1$@。
      code.resend.working | 正在重新发送验证码
      code.start_again.button | 重新开始
      code.other.button | 选择其他方式
      link.ask.title | 通过电子邮件登录
      link.ask.button | 发送链接
      link.ask.working | 正在发送链接
      link.waiting.title | 请打开邮件中的链接
      link.waiting.sent | 链接已发送至 %1$@。
      link.waiting.restored | 你之前正在等待一个链接，没有再发送新的链接。
      link.waiting.open_mail | 打开邮件 App
      link.resend.button | 重新发送链接
      link.resend.wait | 重新发送链接前还需等待 %1$@。
      link.elsewhere.title | 请输入收到链接的电子邮件地址
      link.expired.title | 链接已失效。
      factors.choice.title | 选择如何继续
      factors.kind.sms | 通过短信向 %1$@ 发送验证码
      factors.kind.email | 通过电子邮件向 %1$@ 发送验证码
      factors.kind.link | 通过电子邮件向 %1$@ 发送链接
      factors.kind.sms.bare | 短信验证码
      factors.kind.email.bare | 邮件验证码
      factors.kind.link.bare | 邮件链接
      factors.kind.otp | 身份验证 App 验证码
      factors.kind.recovery | 恢复码
      factors.kind.passkey | 通行密钥
      factors.kind.approval | 在另一台设备上确认
      factors.kind.unknown | 其他方式
      new_password.form.title | 设置新密码
      new_password.submit.button | 存储密码
      new_password.submit.working | 正在存储密码
      password.rule.length.other | 至少 %1$@ 个字符
      password.rule.uppercase | 至少一个大写字母
      password.rule.lowercase | 至少一个小写字母
      password.rule.digit | 至少一个数字
      password.rule.symbol | 至少一个非字母、非数字的字符
      password.rule.met | 已满足
      password.rule.unmet | 尚未满足
      session.greeting.new | 欢迎！
      session.greeting.named | 欢迎回来，%1$@！
      session.greeting.back | 欢迎回来！
      session.ended.notice error.session_rejected error.session_expired error.ambiguous_loss | 登录已失效。请重新登录。
      session.ended.elsewhere | 由于此设备上另一个 App 的操作，你已退出登录。
      session.card.title | 登录状态
      session.card.expires | 剩余有效时间：%1$@
      session.card.stale | 由于无法连接服务，登录状态暂未核实
      session.card.unsaved | 尚未存储：重新启动后，你可能需要重新登录。
      session.sign_out.button | 退出登录
      session.sign_out.everywhere | 在所有设备上退出登录
      session.sign_out.working accounts.remove.working | 正在退出登录
      session.loss.title | 部分数据将会丢失，仍要退出登录吗？
      session.loss.explanation | 你的部分数据仅存在于此处，退出登录会将其永久删除。
      session.loss.title.anonymous_account | 此账户将会丢失，仍要退出登录吗？
      session.loss.explanation.anonymous_account error.confirmation_required | 你尚未添加登录方式，退出登录会将此账户永久删除。
      session.loss.confirm | 退出登录并删除
      session.loss.keep | 保持登录
      accounts.list.title | 账户
      accounts.list.name | %1$@（%2$@）
      accounts.list.current | 正在使用
      accounts.list.signed_out | %1$@，已退出登录
      accounts.add.button | 添加账户
      accounts.use.working | 正在切换账户
      accounts.remove.button | 从此设备移除%1$@
      session.signed_out.title | 你已退出登录。
      session.signed_out.not_erased | 你已退出登录，但无法从此设备移除登录信息。重新启动后，你可能会再次处于登录状态。请重试。
      session.sign_out.retry | 再次退出登录
      session.signed_out.remote_failed | 你已在此设备上退出登录。服务恢复连接后将收到通知。
      error.blank_user_name | 请输入用户名。
      error.terms_not_accepted | 请同意必选条款，然后再创建账户。
      error.empty_password | 请输入密码。
      error.empty_code | 请输入验证码。
      error.malformed_code | 验证码长度不符。请检查并完整输入。
      error.invalid_phone_number | 请输入带国家/地区代码的电话号码，例如 +44 20 7946 0018。
      error.invalid_email_address | 请输入电子邮件地址，例如 name@example.com。
      error.invalid_link | 此链接属于另一次登录。请打开最新邮件中的链接。
      error.challenge_replaced | 新的验证码已发送。请输入最新的验证码。
      error.invalid_credentials | 用户名或密码不正确。请检查两者，然后重试。
      error.wrong_code | 验证码不正确。请检查后重新输入。
      error.wrong_code.left.other | 验证码不正确。你还可以尝试 %1$@ 次。
      error.code_expired | 验证码已失效。请重新发送验证码。
      error.code_reused | 此验证码已被使用过。请等待下一个验证码。
      error.too_many_attempts error.rate_limited | 尝试次数过多。请稍后重试。
      error.too_many_attempts.wait | 尝试次数过多。重试前还需等待 %1$@。
      error.account_exists | 使用这些信息的账户已存在。请登录该账户。
      error.weak_password | 密码未满足所有要求。请换一个密码。
      error.captcha_required | 请确认你不是机器人，然后重试。
      error.already_linked | 此登录方式已属于另一个账户。
      error.recent_sign_in_required error.insufficient_user_authentication | 为保护你的账户，请重新登录以继续。
      error.user_mismatch | 这是另一个账户。请登录你在此处使用的账户。
      error.last_method | 这是你唯一的登录方式。请先添加其他登录方式。
      error.user_disabled | 此账户已停用。请联系支持人员。
      error.sign_up_refused | 无法创建此账户。请换一个用户名或密码。
      error.unreachable | 没有网络连接。请在联网后重试。
      error.timed_out error.connection_lost error.server_failed | 服务没有响应。请稍后重试。
      error.insecure_connection | 无法建立安全连接。请换一个网络重试。
      error.other_sessions_remain | 你已在此设备上退出登录，但其他设备可能仍处于登录状态。若要在其他设备上退出登录，请重新登录。
      error.not_signed_in | 请登录以继续。
      error.not_verified | 登录未被接受。请重试。
      error.user_presence_required | 请解锁此设备的安全存储空间以继续。
      error.storage_unavailable | 目前无法使用此设备的安全存储空间。请重试。
      error.storage_corrupt | 无法读取存储的登录信息。请重新登录。
      error.declined | 登录被拒绝。请重试，或选择其他方式。
      error.sign_in_expired | 操作超时。请重新开始。
      error.clock_skewed | 此设备的时间不正确。请调整时间，然后重试。
      error.security | 无法验证此次登录，因此已中止。请重试。
      error.browser_unavailable | 无法打开浏览器。
      error.insufficient_scope | 你的账户没有执行此操作的权限。
      error.unsupported_method | 此处不提供此登录方式。请选择其他方式。
      error.unknown | 出现问题。请重试。
      time.seconds.other | %1$@ 秒
      time.minutes.other | %1$@ 分钟
      reset.ask.title | 重设密码
      reset.ask.button reauthentication.submit.button | 继续
      reset.ask.working | 正在向账户发送消息
      reset.sent.title | 如果存在与 %1$@ 对应的账户，系统已向其发送消息。
      reset.done.title | 你的密码已更改。
      reset.done.sign_in | 使用新密码登录
      conflict.ask.title | 你已有账户
      conflict.ask.explanation | 登录该账户后，将添加此登录方式。
      conflict.decline.button reauthentication.decline.button | 以后
      conflict.link.working | 正在添加到你的账户
      conflict.linked.title | 已添加到你的账户。
      conflict.expired.title | 操作超时。请重新开始。
      reauthentication.ask.title | 验证你的身份
      reauthentication.ask.explanation | 为保护你的账户，请重新登录以继续。
      account.page.title | 你的账户
      account.page.retry | 重试
      account.page.working | 正在载入你的账户
      account.change.working | 正在存储更改
      account.method.password | 密码
      account.method.phone-code | 电话号码
      account.method.email-code | 邮件验证码
      account.method.email-link | 邮件链接
      account.method.passkey | 通行密钥
      account.method.apple | Apple
      account.method.google | Google
      account.method.facebook | Facebook
      account.method.browser | 浏览器
      account.method.device | 另一台设备
      account.method.anonymous | 无账户
      account.method.unlock | 解锁
      account.methods.title | 登录方式
      account.methods.unlink account.factors.remove | 移除“%1$@”
      account.sessions.title | 已登录的设备
      account.sessions.current | 此设备
      account.sessions.end | 在“%1$@”上退出登录
      account.sessions.elsewhere | 另一台设备
      account.factors.title | 双重认证和通行密钥
      account.factors.add account.enrol.title | 添加身份验证 App
      account.factors.add_kind | 添加：%1$@
      account.enrol.explanation | 使用身份验证 App 扫描二维码或输入此密钥，然后输入 App 显示的验证码。
      account.delete.button | 删除账户
      account.delete.title | 要永久删除账户吗？
      account.delete.confirm | 永久删除
      account.delete.keep | 保留账户
      account.delete.working | 正在删除账户
      account.deleted.title | 你的账户已删除。
      """)["zh-Hans"] ?? [:])
}
