import { resultOf } from '@pay/local-servers';
import { NAMESPACE } from './kubectl';

interface Audit {
  readonly seen: string;
  readonly problems: readonly string[];
}

/** The payment audit of the last 24 hours: decisions, intents, event feed and deliveries. */
export async function auditPayments(): Promise<Audit> {
  const payments = await command('dashboard-api', 'audit-payments');
  const decisions = await command('reconciler', 'verify-decisions');
  const { mismatches } = JSON.parse(payments.stdout) as {
    mismatches: readonly { kind: string; paymentIntentId: string }[];
  };
  const { chains } = JSON.parse(decisions.stdout) as { chains: readonly unknown[] };
  return {
    seen: `decision chains: ${chains.length}; payments of the last 24 hours in all services`,
    problems: [
      ...mismatches.map(({ kind, paymentIntentId }) => `${kind}: payment intent ${paymentIntentId}`),
      ...(decisions.code === 0 ? [] : decisions.stderr.trim().split('\n')),
    ],
  };
}

async function command(service: string, name: string) {
  const program = ['node', `/app/apps/${service}/cli.js`, name];
  const result = await resultOf('kubectl', ['-n', NAMESPACE, 'exec', `deploy/${service}`, '--', ...program]);
  if (result.stdout.trim() === '') throw new Error(`${name} of ${service} printed nothing: ${result.stderr.trim()}`);
  return result;
}
