import type { DeliveryDetailResponse, EndpointResponse, Environment, RecoveryResponse } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import { uuidv7 } from 'uuidv7';

const AT = '2026-11-21T10:00:00.000Z';

interface Owner {
  readonly merchantId: string;
  readonly environment: Environment;
}

/** webhook-dispatcher with these endpoints and deliveries, each with one of the other kind. */
export class KnownWebhooks {
  private readonly endpoints = new Map<string, Owner>();
  private readonly deliveries = new Map<string, Owner>();
  /** Bodies of requests, newest last. */
  readonly received: unknown[] = [];
  refusal: ServiceCallFailed | undefined;

  addEndpoint(merchantId: string, environment: Environment = 'SANDBOX'): string {
    const id = uuidv7();
    this.endpoints.set(id, { merchantId, environment });
    return id;
  }

  addDelivery(merchantId: string, environment: Environment = 'SANDBOX'): string {
    const id = uuidv7();
    this.deliveries.set(id, { merchantId, environment });
    return id;
  }

  readonly request: ServiceClient['request'] = (method, path, { schema, tenant, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://webhook-dispatcher');
    if (pathname === '/internal/v1/delivery-rows') {
      const rows = this.pageOf('deliveries', tenant?.merchantId ?? '');
      return Promise.resolve(schema.parse({ ...rows, nextCursor: null }));
    }
    const [, , , family, kind = '', id, action] = pathname.split('/');
    const known = kind === 'deliveries' ? this.deliveries : this.endpoints;
    const merchantId = tenant?.merchantId ?? searchParams.get('merchantId');
    const owner = id === undefined ? undefined : known.get(id);
    if (id !== undefined && owner?.merchantId !== merchantId) {
      return Promise.reject(new ServiceCallFailed('rejected', 'webhook-dispatcher', 'answered 404', 404, 'NOT_FOUND'));
    }
    if (family === 'webhook-owners') return Promise.resolve(schema.parse({ environment: owner?.environment }));
    if (method !== 'GET') {
      this.received.push(body);
      if (this.refusal) return Promise.reject(this.refusal);
    }
    return Promise.resolve(schema.parse(this.answer({ method, kind, id, action, merchantId })));
  };

  private answer({ method, kind, id, action, merchantId }: Record<string, string | null | undefined>): unknown {
    if (method === 'DELETE') return undefined;
    if (id === undefined && method === 'POST') return anEndpoint(this.addEndpoint(merchantId ?? ''));
    if (id === undefined) return this.pageOf(kind === 'deliveries' ? 'deliveries' : 'endpoints', merchantId ?? '');
    if (kind === 'deliveries') return aDelivery(id ?? '');
    if (action === 'test') return aDelivery(uuidv7());
    if (action === 'recover') return method === 'GET' ? { recovery: null } : aRecovery(id ?? '');
    return anEndpoint(id ?? '');
  }

  private pageOf(kind: 'endpoints' | 'deliveries', merchantId: string) {
    const own = [...this[kind]].filter(([, owner]) => owner.merchantId === merchantId).map(([id]) => id);
    const data = own.map((id) => (kind === 'endpoints' ? anEndpoint(id) : aDelivery(id)));
    return { data, total: data.length, page: 1, limit: 20 };
  }
}

function anEndpoint(id: string): EndpointResponse {
  return {
    id,
    url: 'https://shop.example/hooks',
    eventTypes: ['payment.paid'],
    environment: 'SANDBOX',
    isVerified: false,
    verifiedAt: null,
    isActive: true,
    disabledReason: null,
    failingSince: null,
    secretOverlapEndsAt: null,
    createdAt: AT,
  };
}

function aDelivery(id: string): DeliveryDetailResponse {
  return {
    id,
    endpointId: uuidv7(),
    paymentIntentId: null,
    eventType: 'webhook.test',
    status: 'DELIVERED',
    attempt: 1,
    statusCode: 200,
    idempotencyKey: `webhook.test:${id}`,
    deliveredAt: AT,
    createdAt: AT,
    nextAttemptAt: null,
    body: '{}',
    attempts: [],
  };
}

function aRecovery(endpointId: string): RecoveryResponse {
  return {
    id: uuidv7(),
    endpointId,
    since: AT,
    status: 'RUNNING',
    redelivered: 0,
    created: 0,
    createdAt: AT,
    finishedAt: null,
  };
}
