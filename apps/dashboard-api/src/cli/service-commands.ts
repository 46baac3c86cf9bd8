import type { PaymentAuditRange } from '@pay/contracts';
import { commonConfig, instantOption, loadConfig } from '@pay/runtime';
import { z } from 'zod';
import { openServiceClients, type ServiceClients } from '../clients/service-clients';
import { peerSettings } from '../config';
import { slicesBetween, type PaymentMismatch } from '../domain/payment-audit';
import { SETTLING_MS } from '../payment-audit/audit-payments';
import { findMismatches, type AuditedServices, type AuditPart } from '../payment-audit/find-mismatches';
import { repairPayments } from '../payment-audit/repair-payments';
import { serviceCommand, type ServiceCommand } from './command';
import { erasePayersCommand } from './erase-payers-command';

const HOUR_MS = 60 * 60_000;
const DEFAULT_HOURS = 24;

const range = z.object({
  from: instantOption
    .optional()
    .describe(`Start of the range of decision times, inclusive (default: ${DEFAULT_HOURS} hours before the end)`),
  to: instantOption.optional().describe('End of the range of decision times, exclusive (default: 20 seconds ago)'),
});

const commandConfig = z.object({ NODE_ENV: commonConfig.NODE_ENV, ...peerSettings });

export const serviceCommands: Readonly<Record<string, ServiceCommand>> = {
  'audit-payments': serviceCommand({
    summary: 'Compares payments in decisions, intents, event feed and deliveries; exit code 1 if a payment differs',
    options: range,
    run: async (env, { from, to }) => {
      const notCompared: Partial<Record<AuditPart, string>> = {};
      const mismatches = await withServices(env, (services) =>
        findAll(services, { from, to }, (part, slice) => {
          notCompared[part] = slice.to;
        }),
      );
      // Retention deleted rows of this range before this time, so it was not compared.
      return { answer: { mismatches, notComparedBefore: notCompared }, exitCode: mismatches.length === 0 ? 0 : 1 };
    },
  }),
  'repair-payments': serviceCommand({
    summary:
      'Publishes the events again that the payment audit reports as missing; exit code 1 if a payment cannot be repaired',
    options: range,
    run: async (env, { from, to }) => {
      const repairs = await withServices(env, async (services) =>
        repairPayments(services, await findAll(services, { from, to })),
      );
      return { answer: repairs, exitCode: repairs.notRepairable.length === 0 ? 0 : 1 };
    },
  }),
  'erase-payers': erasePayersCommand(withServices),
};

async function findAll(
  services: AuditedServices,
  { from, to }: { readonly from?: Date | undefined; readonly to?: Date | undefined },
  leaveOut?: (part: AuditPart, slice: PaymentAuditRange) => void,
): Promise<PaymentMismatch[]> {
  const end = to ?? new Date(Date.now() - SETTLING_MS);
  const mismatches: PaymentMismatch[] = [];
  for (const slice of slicesBetween(from ?? new Date(end.getTime() - DEFAULT_HOURS * HOUR_MS), end)) {
    mismatches.push(...(await findMismatches(services, slice, (part) => leaveOut?.(part, slice))));
  }
  return mismatches;
}

async function withServices<T>(env: NodeJS.ProcessEnv, work: (services: ServiceClients) => Promise<T>): Promise<T> {
  const clients = openServiceClients(loadConfig(commandConfig, env));
  try {
    return await work(clients);
  } finally {
    await Promise.all(Object.values(clients).map((client) => client.close()));
  }
}
