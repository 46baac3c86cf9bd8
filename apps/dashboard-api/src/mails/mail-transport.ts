import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** `send` resolves when the mail server has accepted the mail. */
export interface MailTransport {
  send(id: string, mail: Mail): Promise<void>;
  close(): Promise<void>;
}

export interface MailSettings {
  readonly NODE_ENV: string;
  readonly MAIL_FROM: string;
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_DIRECTORY?: string | undefined;
}

const TIMEOUT_MS = 10_000;

export function openMailTransport(settings: MailSettings): MailTransport {
  const { SMTP_URL: url, MAIL_DIRECTORY: directory, MAIL_FROM: from } = settings;
  if (url !== undefined) return smtpTransport(url, from, settings.NODE_ENV === 'production');
  if (directory !== undefined) return directoryTransport(directory, from);
  throw new TypeError('SMTP_URL or MAIL_DIRECTORY is required');
}

/** Production requires TLS: smtps, or a server with STARTTLS. */
function smtpTransport(url: string, from: string, requireTLS: boolean): MailTransport {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const safe = { disableFileAccess: true, disableUrlAccess: true };
  const transport = createTransport({ url, requireTLS, ...timeouts, ...safe });
  return {
    async send(id, mail) {
      await transport.sendMail({ from, ...mail, messageId: messageIdOf(id, from) });
    },
    close() {
      transport.close();
      return Promise.resolve();
    },
  };
}

/** For development: writes each mail to a file that only its owner can read. */
function directoryTransport(directory: string, from: string): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(id, mail) {
      // Keeps links readable in the source of the mail; base64 would not.
      const textEncoding = 'quoted-printable';
      const { message } = await transport.sendMail({ from, ...mail, textEncoding, messageId: messageIdOf(id, from) });
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      writeFileSync(join(directory, `${id}.eml`), message as Buffer, { mode: 0o600 });
    },
    close: () => Promise.resolve(),
  };
}

/** Equal for all attempts, so that mail servers can recognise repeats. */
function messageIdOf(id: string, from: string): string {
  return `<${id}@${from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '')}>`;
}
