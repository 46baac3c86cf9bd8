import { text } from 'node:stream/consumers';
import { MAX_ERASED_PAYERS, normaliseMsisdn } from '@pay/contracts';
import { UsageError } from '@pay/runtime';
import { z } from 'zod';
import { lockMerchant } from '../changes/lock-record';
import { recordAction } from '../changes/record-action';
import { erasePayers, type PayerServices } from '../retention/erase-payers';
import { serviceCommand, type ServiceCommand } from './command';
import { loginName } from './login-name';
import * as option from './options';
import { withWriter } from './with-writer';

type WithServices = <T>(env: NodeJS.ProcessEnv, work: (services: PayerServices) => Promise<T>) => Promise<T>;

/**
 * Numbers are read from standard input, because arguments are shown by `ps` and stored in the audit logs of clusters.
 */
export function erasePayersCommand(withServices: WithServices): ServiceCommand {
  return serviceCommand({
    summary:
      'Erases the numbers of payers, one per line of standard input, and SMS texts that contain them, at one merchant; exit code 1 if a record is not decided yet',
    options: z.object({
      merchant: option.merchant,
      reason: option.name.meta({
        description: 'Reason for the audit log, such as the number of the request',
        examples: ["'Request 17'"],
      }),
    }),
    exampleInput: '01712345678',
    run: async (env, { merchant: merchantId, reason }) => {
      const msisdns = numbersIn(await text(process.stdin));
      // Three digits distinguish two requests of a day without identifying a person.
      const about = { payers: msisdns.map((msisdn) => `XXXXXXXX${msisdn.slice(-3)}`), reason };
      const record = (action: string, after: object) =>
        withWriter({ env, actor: `cli:${loginName()}` }, async (deps, tx) => {
          await lockMerchant(tx, merchantId);
          await recordAction(deps, tx, { action, subjectKind: 'merchant', subjectId: merchantId, merchantId, after });
        });
      await record('payers.erasure_started', about);
      const erasure = await withServices(env, (services) => erasePayers(services, { merchantId, msisdns }));
      await record('payers.erased', { ...about, ...erasure });
      return { answer: erasure, exitCode: erasure.open === 0 ? 0 : 1 };
    },
  });
}

function numbersIn(input: string): string[] {
  const lines = input.split('\n').filter((line) => line.trim() !== '');
  const numbers = lines.flatMap((line) => normaliseMsisdn(line.trim()) ?? []);
  if (numbers.length < Math.max(lines.length, 1))
    throw new UsageError(['standard input must contain mobile numbers such as 01712345678, one per line']);
  if (numbers.length > MAX_ERASED_PAYERS)
    throw new UsageError([`standard input must contain at most ${MAX_ERASED_PAYERS} numbers`]);
  return [...new Set(numbers)];
}
