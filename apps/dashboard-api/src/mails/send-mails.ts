import type { Counter, SecretBox } from '@pay/runtime';
import type { Mail, MailTransport } from './mail-transport';
import { deleteMail, postponeMail, takeDueMails, type MailRow } from './mail-repository';
import type { ServiceDeps } from '../service-deps';

export interface SendMailsDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
  readonly box: SecretBox;
  readonly transport: Pick<MailTransport, 'send'>;
  readonly sent: Pick<Counter, 'inc'>;
  readonly refused: Pick<Counter, 'inc'>;
}

const AT_ONCE = 10;
/** Longer than an attempt can take. Afterwards another process may send the mail. */
const LEASE_MS = 120_000;
const WAITS_MS = [10_000, 60_000, 300_000];
const LAST_WAIT_MS = 3_600_000;
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;
/**
 * The recipient does not exist or is disabled (RFC 3463). Replies without such a status, such as `550 relay not
 * permitted`, may be about the settings of this gateway.
 */
const RECIPIENT_REFUSED = /^55\d[ -]5\.(1\.(1|2|3|6|10)|2\.1)\b/;

/** Sends due mails at least once. Unless its recipient is refused, a failed one is retried for a day. */
export async function sendMails(deps: SendMailsDeps): Promise<void> {
  for (;;) {
    const now = deps.now();
    const rows = await takeDueMails(deps.db, now, new Date(now.getTime() + LEASE_MS), AT_ONCE);
    await Promise.all(rows.map((row) => sendOne(deps, row)));
    if (rows.length < AT_ONCE) return;
  }
}

async function sendOne({ db, box, transport, sent, refused, log, now }: SendMailsDeps, row: MailRow): Promise<void> {
  try {
    const mail = JSON.parse(box.open(row.id, row.sealed)) as Mail;
    await transport.send(row.id, mail);
    sent.inc();
  } catch (error) {
    const at = now();
    const fields = { mailId: row.id, attempts: row.attempts, err: codeOf(error) };
    if (isRecipientRefused(error)) {
      log.warn(fields, 'mail.refused');
      refused.inc();
    } else if (at.getTime() - row.createdAt.getTime() >= GIVEN_UP_AFTER_MS) {
      log.error(fields, 'mail.given_up');
    } else {
      log.warn(fields, 'mail.not_sent');
      await postponeMail(db, row.id, new Date(at.getTime() + (WAITS_MS[row.attempts - 1] ?? LAST_WAIT_MS)));
      return;
    }
  }
  await deleteMail(db, row.id);
}

function isRecipientRefused(error: unknown): boolean {
  const { command, response } = error as { command?: unknown; response?: unknown };
  return command === 'RCPT TO' && RECIPIENT_REFUSED.test(String(response));
}

/** Mail servers repeat addresses and texts in their responses, so only the code is logged. */
function codeOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (
    [code, responseCode]
      .filter((each) => each !== undefined)
      .map(String)
      .join(' ') || 'unknown'
  );
}
