import { sandboxOperations } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { recordAction } from '../changes/record-action';
import { assertSandbox, readSimulation } from './read-simulation';
import { simulateSms, type SimulateSmsDeps } from './simulate-sms';
import type { ServiceDeps } from '../service-deps';

export interface SimulatorRoutesDeps extends SimulateSmsDeps, Pick<ServiceDeps, 'db' | 'now' | 'newId'> {}

export function mountSimulator(serve: Serve, deps: SimulatorRoutesDeps): void {
  serve(sandboxOperations.runSimulator, ({ session: { merchantId, userId }, body }) =>
    simulate(deps, { merchantId, actor: `user:${userId}` }, body),
  );
  serve(sandboxOperations.simulateSms, async ({ caller: { merchantId, environment, keyId }, body }) => {
    assertSandbox(environment);
    return simulate(deps, { merchantId, actor: `api_key:${keyId}` }, body);
  });
}

async function simulate(
  deps: SimulatorRoutesDeps,
  { merchantId, actor }: { readonly merchantId: string; readonly actor: string },
  body: Readonly<Record<string, unknown>>,
) {
  const simulation = await simulateSms(deps, merchantId, readSimulation(body));
  const { id: subjectId, paymentMethod, parsedAmount: amount } = simulation.smsEvent;
  await deps.db.transaction((tx) =>
    recordAction({ ...deps, actor }, tx, {
      action: 'sms.simulated',
      subjectKind: 'sms_event',
      subjectId,
      merchantId,
      environment: 'SANDBOX',
      after: { paymentMethod, amount, paymentIntentId: simulation.match?.paymentIntentId ?? null },
    }),
  );
  return simulation;
}
