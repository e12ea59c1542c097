import type { Channel, Handed, Outgoing } from './channel.ts'

export interface SmtpOptions {
  host: string
  port: number
  /** TLS from the beginning; otherwise STARTTLS if the server offers it, and always before a password. */
  secure: boolean
  user: string | undefined
  password: string | undefined
  /** The address emails come from. */
  from: string
  timeoutMs: number
}

const isLoopback = (host: string) => /^(localhost|127\.|::1$|\[::1\]$)/.test(host)

/**
 * Hands emails to a mail server, each on a connection of its own. nodemailer's transport does not say at which step it
 * failed; here that decides whether an email may be sent again, so the steps are made one by one. It is loaded with the
 * first email, because most starts send none.
 */
export const createSmtp = (options: SmtpOptions): Channel => ({
  async send(message, signal) {
    const { host, port, secure, user, password, timeoutMs } = options
    const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
    const connection = new SMTPConnection({
      host,
      port,
      secure,
      requireTLS: !secure && password !== undefined && !isLoopback(host),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    })
    const failed = Promise.withResolvers<never>()
    failed.promise.catch(() => {})
    connection.on('error', failed.reject)
    connection.once('end', () => failed.reject(new Error('The mail server closed the connection')))
    const onAbort = () => failed.reject(new Error('Waybill is stopping'))
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    const step = (begin: (done: (error?: Error | null) => void) => void) =>
      Promise.race([
        failed.promise,
        new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve()))),
      ])
    let isOnItsWay = false
    try {
      const composed = await compose(options.from, message)
      await step((done) => connection.connect(done))
      if (user !== undefined) await step((done) => connection.login({ user, pass: password ?? '' }, done))
      isOnItsWay = true
      await step((done) => connection.send({ from: options.from, to: [message.to] }, composed, done))
      return { outcome: 'sent' }
    } catch (error) {
      return judge(error, isOnItsWay)
    } finally {
      signal.removeEventListener('abort', onAbort)
      connection.close()
    }
  },
})

/** What the server says is definite; silence while the email is on its way is not. */
function judge(error: unknown, isOnItsWay: boolean): Handed {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  if (responseCode !== undefined && responseCode >= 400)
    return { outcome: 'refused', error: `The mail server answered ${responseCode}` }
  if (code === 'EENVELOPE' || !isOnItsWay) return { outcome: 'refused', error: 'The mail server did not take it' }
  return { outcome: 'unknown', error: 'The mail server did not answer' }
}

async function compose(from: string, { id, to, subject, text, sender, organisation }: Outgoing): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: { name: sender ?? organisation.name, address: from },
    to: { name: '', address: to },
    ...(organisation.email && { replyTo: organisation.email }),
    subject,
    text,
    // The same whenever it is sent again, so that mail servers can tell.
    messageId: `<${id}@${from.split('@')[1]}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}
