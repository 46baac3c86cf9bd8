import type { Transaction } from '@pay/persistence';
import type { SecretBox } from '@pay/runtime';
import type { Mail } from './mail-transport';
import { insertMail } from './mail-repository';
import type { ServiceDeps } from '../service-deps';

/** Mails are sent after the commit of their transaction. They may contain secrets, so they are stored encrypted. */
export interface MailQueue {
  add(tx: Transaction, mail: Mail): Promise<void>;
}

export interface MailQueueDeps extends Pick<ServiceDeps, 'now' | 'newId'> {
  readonly box: SecretBox;
}

export function createMailQueue({ box, now, newId }: MailQueueDeps): MailQueue {
  return {
    async add(tx, mail) {
      const id = newId();
      await insertMail(tx, id, box.seal(id, JSON.stringify(mail)), now());
    },
  };
}
