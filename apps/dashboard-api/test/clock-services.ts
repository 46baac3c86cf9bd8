import type { Tenant } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';

interface Asked {
  readonly service: string;
  readonly path: string;
  readonly tenant: Tenant | undefined;
  readonly body: { readonly stepId: string; readonly milliseconds: number; readonly intentIds?: readonly string[] };
}

/** The internal routes that a test clock calls, scripted: their next responses, and the received requests. */
export class ClockServices {
  readonly asked: Asked[] = [];
  /** Milliseconds until the last expiry, one per step. */
  lastExpiries: (number | null)[] = [];
  isIntakeDecided = true;
  deliveriesDue = 0;
  expiring: string[] = [];
  pending = 0;
  unsettled = 0;
  silent: 'reconciler' | 'webhook-dispatcher' | 'intent-api' | undefined;

  reset(): void {
    this.asked.length = 0;
    Object.assign(this, {
      lastExpiries: [],
      isIntakeDecided: true,
      deliveriesDue: 0,
      expiring: [],
      pending: 0,
      unsettled: 0,
    });
    this.silent = undefined;
  }

  readonly reconciler = this.service('reconciler', () => ({ isDone: this.isIntakeDecided }));
  readonly webhookDispatcher = this.service('webhook-dispatcher', (path) =>
    path.endsWith('unsettled-intents')
      ? { unsettled: this.unsettled }
      : { millisecondsLeft: 0, due: this.deliveriesDue },
  );
  readonly intentApi = this.service('intent-api', (path) =>
    path.includes('last-expiry')
      ? { milliseconds: this.lastExpiries.shift() ?? null }
      : { expiring: this.expiring, pending: this.pending },
  );

  /** Steps in the order in which a service first received them. */
  stepsOf(service: string): { readonly id: string; readonly milliseconds: number }[] {
    const steps = new Map<string, number>();
    for (const { service: name, path, body } of this.asked)
      if (name === service && path.endsWith('/steps')) steps.set(body.stepId, body.milliseconds);
    return [...steps].map(([id, milliseconds]) => ({ id, milliseconds }));
  }

  private service(
    service: 'reconciler' | 'webhook-dispatcher' | 'intent-api',
    answer: (path: string) => unknown,
  ): Pick<ServiceClient, 'request'> {
    return {
      request: async (_method, path, { tenant, body, schema }) => {
        if (this.silent === service) throw new ServiceCallFailed('unavailable', service, 'no answer');
        this.asked.push({ service, path, tenant, body: body as Asked['body'] });
        return schema.parse(answer(path));
      },
    };
  }
}
