public import AuthenticationPresentation

extension Language {
  /// Japanese, which is complete; no native speaker has reviewed it.
  public static let japanese = Language(
    "ja", isReviewed: false, plural: { _ in .other },
    table: tables(
      """
      key | ja
      methods.list.title form.sign_in.title form.submit.button | サインイン
      methods.list.last_used | 前回使用
      method.password.button | パスワードで続ける
      method.phone-code.button | 電話番号で続ける
      method.email-code.button | メールのコードで続ける
      method.email-link.button | メールのリンクで続ける
      method.passkey.button | パスキーで続ける
      method.apple.button | Appleでサインイン
      method.google.button | Googleで続ける
      method.facebook.button | Facebookで続ける
      method.browser.button | ブラウザで続ける
      method.device.button | 別のデバイスで続ける
      method.anonymous.button | アカウントなしで続ける
      method.unlock.button locked.store.retry | ロックを解除
      form.submit.working | サインイン中
      form.cancel.button | キャンセル
      form.forgot.button | パスワードをお忘れですか？
      form.sign_up.button sign_up.form.title | アカウントを作成
      form.locked_out.title code.spent.title | 試行回数の上限に達しました
      form.locked_out.left | もう一度試せるまで、あと%1$@です。
      field.user_name.label | ユーザ名
      field.password.label | パスワード
      field.new_password.label | 新しいパスワード
      field.phone_number.label | 電話番号
      field.email_address.label | メールアドレス
      field.code.label | コード
      field.password.show | パスワードを表示
      field.password.hide | パスワードを非表示
      field.password.shown | パスワードは表示されています。
      field.password.hidden | パスワードは非表示です。
      sign_up.submit.button | アカウントを作成
      sign_up.submit.working | アカウントを作成中
      sign_up.terms.agree | 同意します：%1$@
      sign_up.terms.required | 同意します：%1$@（必須）
      sign_up.terms.read | 読む：%1$@
      sign_up.exists.title | すでにアカウントがあります
      sign_up.exists.sign_in | そのアカウントにサインイン
      sign_up.exists.reset | パスワードを再設定
      sign_up.back.button | 戻る
      browser.open.title | 開いたページでサインインしてください
      browser.open.again | ページをもう一度開く
      passkey.prompt.title | パスキーでサインイン
      passkey.prompt.button | パスキーを使用
      device.request.working | コードを取得中
      device.showing.title | 別のデバイスでサインイン
      device.showing.address | そのデバイスで%1$@を開いてください。
      device.showing.code | 開いたページで次のコードを入力してください。コードはどちらの画面でも同じです：
      device.showing.spoken | コードは%1$@です。
      device.showing.qr | %1$@を開くQRコード
      device.showing.left | コードの有効時間は残り%1$@です。
      device.denied.title | 別のデバイスでサインインが拒否されました。
      device.expired.title code.expired.title | コードの有効期限が切れました。
      device.new_code.button | 新しいコードを取得
      locked.store.title | 保存されたサインイン情報がロックされています
      offline.banner.title | オフラインです。サインインしたままになります。
      offline.banner.retry accounts.list.retry | 再試行
      code.entry.title | コードを入力
      code.entry.sent | %1$@にコードを送信しました。
      code.entry.authenticator | 認証アプリに表示されているコードを入力してください。
      code.entry.recovery | 復旧コードのいずれか1つを入力してください。
      code.entry.restored | 前回入力を求められたコードです。新しいコードは送信されていません。
      code.entry.by_itself | 入力が完了すると、自動的に送信されます。
      code.entry.resent | コードを再送信しました。
      code.entry.expires.other | コードの有効時間は残り%1$@秒です。
      code.submit.button | 確認
      code.submit.working | コードを確認中
      code.resend.button | コードを再送信
      code.resend.wait | コードを再送信できるまで、あと%1$@です。
      code.resend.working | コードを再送信中
      code.start_again.button | 最初からやり直す
      code.other.button | 別の方法を選択
      link.ask.title | メールでサインイン
      link.ask.button | リンクを送信
      link.ask.working | リンクを送信中
      link.waiting.title | メールのリンクを開いてください
      link.waiting.sent | %1$@にリンクを送信しました。
      link.waiting.restored | 前回のリンクを待っている状態です。新しいリンクは送信されていません。
      link.waiting.open_mail | メールアプリを開く
      link.resend.button | リンクを再送信
      link.resend.wait | リンクを再送信できるまで、あと%1$@です。
      link.elsewhere.title | リンクが届いたメールアドレスを入力してください
      link.expired.title | リンクの有効期限が切れました。
      factors.choice.title | 続ける方法を選択
      factors.kind.sms | SMSで%1$@にコードを送信
      factors.kind.email | メールで%1$@にコードを送信
      factors.kind.link | メールで%1$@にリンクを送信
      factors.kind.sms.bare | SMSのコード
      factors.kind.email.bare | メールのコード
      factors.kind.link.bare | メールのリンク
      factors.kind.otp | 認証アプリのコード
      factors.kind.recovery | 復旧コード
      factors.kind.passkey | パスキー
      factors.kind.approval | 別のデバイスでの承認
      factors.kind.unknown | 別の方法
      new_password.form.title | 新しいパスワードを設定
      new_password.submit.button | パスワードを保存
      new_password.submit.working | パスワードを保存中
      password.rule.length.other | %1$@文字以上
      password.rule.uppercase | 大文字を1文字以上
      password.rule.lowercase | 小文字を1文字以上
      password.rule.digit | 数字を1文字以上
      password.rule.symbol | 記号を1文字以上
      password.rule.met | 満たしています
      password.rule.unmet | まだ満たしていません
      session.greeting.new | ようこそ！
      session.greeting.named | おかえりなさい、%1$@さん！
      session.greeting.back | おかえりなさい！
      session.ended.notice error.session_rejected error.session_expired error.ambiguous_loss | \
        セッションが終了しました。もう一度サインインしてください。
      session.ended.elsewhere | このデバイスの別のアプリによってサインアウトされました。
      session.card.title | 現在のセッション
      session.card.expires | 有効時間は残り%1$@
      session.card.stale | サービスに接続できなくなってから、最新の状態を確認できていません
      session.card.unsaved | まだ保存されていません。再起動後に、もう一度サインインが必要になることがあります。
      session.sign_out.button | サインアウト
      session.sign_out.everywhere | すべてのデバイスからサインアウト
      session.sign_out.working accounts.remove.working | サインアウト中
      session.loss.title | 一部のデータが失われますが、サインアウトしますか？
      session.loss.explanation | ここにしかないデータがあります。サインアウトすると、そのデータは完全に削除されます。
      session.loss.title.anonymous_account | このアカウントが失われますが、サインアウトしますか？
      session.loss.explanation.anonymous_account error.confirmation_required | \
        サインイン方法が追加されていません。サインアウトすると、このアカウントは完全に削除されます。
      session.loss.confirm | サインアウトして削除
      session.loss.keep | サインインしたままにする
      accounts.list.title | アカウント
      accounts.list.name | %1$@（%2$@）
      accounts.list.current | 使用中
      accounts.list.signed_out | %1$@（サインアウト済み）
      accounts.add.button | アカウントを追加
      accounts.use.working | アカウントを切り替え中
      accounts.remove.button | %1$@をこのデバイスから削除
      session.signed_out.title | サインアウトしました。
      session.signed_out.not_erased | サインアウトしましたが、このデバイスからサインイン情報を削除できませんでした。再起動後に、再びサインインした状態になることがあります。もう一度お試しください。
      session.sign_out.retry | もう一度サインアウト
      session.signed_out.remote_failed | このデバイスではサインアウトしました。サービスには、接続でき次第通知されます。
      error.blank_user_name | ユーザ名を入力してください。
      error.terms_not_accepted | アカウントを作成するには、必須項目に同意してください。
      error.empty_password | パスワードを入力してください。
      error.empty_code | コードを入力してください。
      error.malformed_code | コードの長さが異なります。確認して、すべて入力してください。
      error.invalid_phone_number | 電話番号を国番号から入力してください（例：+44 20 7946 0018）。
      error.invalid_email_address | メールアドレスを入力してください（例：name@example.com）。
      error.invalid_link | このリンクは別のサインインのものです。最新のメールのリンクを開いてください。
      error.challenge_replaced | 新しいコードが送信されています。最新のコードを入力してください。
      error.invalid_credentials | ユーザ名またはパスワードが正しくありません。両方を確認して、もう一度お試しください。
      error.wrong_code | コードが正しくありません。確認して、もう一度入力してください。
      error.wrong_code.left.other | コードが正しくありません。あと%1$@回試せます。
      error.code_expired | コードの有効期限が切れました。コードを再送信してください。
      error.code_reused | このコードはすでに使用されています。次のコードをお待ちください。
      error.too_many_attempts error.rate_limited | 試行回数の上限に達しました。しばらくしてから、もう一度お試しください。
      error.too_many_attempts.wait | 試行回数の上限に達しました。もう一度試せるまで、あと%1$@です。
      error.account_exists | この情報のアカウントがすでにあります。そのアカウントにサインインしてください。
      error.weak_password | パスワードが一部の条件を満たしていません。別のパスワードを入力してください。
      error.captcha_required | ロボットではないことを確認して、もう一度お試しください。
      error.already_linked | このサインイン方法は別のアカウントで使用されています。
      error.recent_sign_in_required error.insufficient_user_authentication | アカウントを保護するため、続けるにはもう一度サインインしてください。
      error.user_mismatch | これは別のアカウントです。ここで使用しているアカウントでサインインしてください。
      error.last_method | これは唯一のサインイン方法です。先に別のサインイン方法を追加してください。
      error.user_disabled | このアカウントは利用できなくなっています。サポートにお問い合わせください。
      error.sign_up_refused | このアカウントを作成できませんでした。別のユーザ名またはパスワードを入力してください。
      error.unreachable | 接続がありません。オンラインのときに、もう一度お試しください。
      error.timed_out error.connection_lost error.server_failed | サービスから応答がありません。あとでもう一度お試しください。
      error.insecure_connection | 安全な接続を確立できませんでした。別のネットワークでお試しください。
      error.other_sessions_remain | \
        このデバイスではサインアウトしましたが、ほかのデバイスではサインインしたままの可能性があります。ほかのデバイスからもサインアウトするには、もう一度サインインしてください。
      error.not_signed_in | 続けるにはサインインしてください。
      error.not_verified | サインインは受け付けられませんでした。もう一度お試しください。
      error.user_presence_required | 続けるには、このデバイスの安全な保存領域のロックを解除してください。
      error.storage_unavailable | 現在、このデバイスの安全な保存領域を使用できません。もう一度お試しください。
      error.storage_corrupt | 保存されたサインイン情報を読み取れません。もう一度サインインしてください。
      error.declined | サインインが拒否されました。もう一度試すか、別の方法を選択してください。
      error.sign_in_expired | 制限時間を過ぎました。最初からやり直してください。
      error.clock_skewed | このデバイスの時計が正しくありません。時刻を合わせて、もう一度お試しください。
      error.security | サインインを検証できなかったため、中止しました。もう一度お試しください。
      error.browser_unavailable | ブラウザを開けませんでした。
      error.insufficient_scope | このアカウントには、この操作を行う権限がありません。
      error.unsupported_method | このサインイン方法はここでは使用できません。別の方法を選択してください。
      error.unknown | 問題が起きました。もう一度お試しください。
      time.seconds.other | %1$@秒
      time.minutes.other | %1$@分
      reset.ask.title | パスワードを再設定
      reset.ask.button reauthentication.submit.button | 続ける
      reset.ask.working | アカウントにメッセージを送信中
      reset.sent.title | %1$@のアカウントがある場合、そのアカウントにメッセージが送信されています。
      reset.done.title | パスワードを変更しました。
      reset.done.sign_in | 新しいパスワードでサインイン
      conflict.ask.title | すでにアカウントをお持ちです
      conflict.ask.explanation | そのアカウントにサインインすると、このサインイン方法が追加されます。
      conflict.decline.button reauthentication.decline.button | 今はしない
      conflict.link.working | アカウントに追加中
      conflict.linked.title | アカウントに追加しました。
      conflict.expired.title | 制限時間を過ぎました。最初からやり直してください。
      reauthentication.ask.title | 本人確認
      reauthentication.ask.explanation | アカウントを保護するため、続けるにはもう一度サインインしてください。
      account.page.title | アカウント
      account.page.retry | 再試行
      account.page.working | アカウントを読み込み中
      account.change.working | 変更を保存中
      account.method.password | パスワード
      account.method.phone-code | 電話番号
      account.method.email-code | メールのコード
      account.method.email-link | メールのリンク
      account.method.passkey | パスキー
      account.method.apple | Apple
      account.method.google | Google
      account.method.facebook | Facebook
      account.method.browser | ブラウザ
      account.method.device | 別のデバイス
      account.method.anonymous | アカウントなし
      account.method.unlock | ロック解除
      account.methods.title | サインイン方法
      account.methods.unlink account.factors.remove | %1$@を削除
      account.sessions.title | サインイン中のデバイス
      account.sessions.current | このデバイス
      account.sessions.end | %1$@からサインアウト
      account.sessions.elsewhere | 別のデバイス
      account.factors.title | 2ファクタ認証とパスキー
      account.factors.add account.enrol.title | 認証アプリを追加
      account.factors.add_kind | 追加：%1$@
      account.enrol.explanation | 認証アプリでQRコードをスキャンするか、このキーを入力してください。次に、アプリに表示されたコードを入力してください。
      account.delete.button | アカウントを削除
      account.delete.title | アカウントを完全に削除しますか？
      account.delete.confirm | 完全に削除
      account.delete.keep | アカウントを残す
      account.delete.working | アカウントを削除中
      account.deleted.title | アカウントを削除しました。
      """)["ja"] ?? [:])
}
