/** Requests per delivery id, for the webhook of one intent. */
export type Deliveries = ReadonlyMap<string, number>;

export interface PaymentCounts {
  readonly payments: number;
  /** Accepted payments without `payment.paid` in the event feed, and those with several. */
  readonly lostPayments: number;
  readonly duplicatedPayments: number;
  /** Payments without a webhook, and those with several deliveries. */
  readonly lostWebhooks: number;
  readonly duplicatedWebhooks: number;
  /** Requests that repeat a delivery with the same id, which merchants use to recognise them. */
  readonly repeatedWebhooks: number;
}

export interface RequestCounts {
  readonly requests: number;
  /** Number of failed requests by route and reason. Clients repeated each of them. */
  readonly failures: Readonly<Record<string, number>>;
  readonly slowestMs: number;
}

export interface LoadFigures extends PaymentCounts, RequestCounts {
  readonly seconds: number;
  readonly perSecond: number;
}

interface Seen {
  /** Ids of the intents of all started payments. */
  readonly paid: readonly string[];
  /** Number of entries in the event feed per intent. */
  readonly events: ReadonlyMap<string, number>;
  readonly webhooks: ReadonlyMap<string, Deliveries>;
}

export function countPayments({ paid, events, webhooks }: Seen): PaymentCounts {
  const delivered = paid.map((id) => events.get(id) ?? 0);
  const deliveries = paid.map((id) => [...(webhooks.get(id)?.values() ?? [])]);
  return {
    payments: paid.length,
    lostPayments: delivered.filter((count) => count === 0).length,
    duplicatedPayments: delivered.filter((count) => count > 1).length,
    lostWebhooks: deliveries.filter(({ length }) => length === 0).length,
    duplicatedWebhooks: deliveries.filter(({ length }) => length > 1).length,
    repeatedWebhooks: deliveries.flat().reduce((sum, requests) => sum + requests - 1, 0),
  };
}

export class RequestCounter {
  private readonly failures = new Map<string, number>();
  private requests = 0;
  private slowestMs = 0;

  /** `problem` is the reason of a failure: a status or a connection error. */
  ended(route: string, ms: number, problem?: string): void {
    this.requests += 1;
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (problem === undefined) return;
    const key = `${route}: ${problem}`;
    this.failures.set(key, (this.failures.get(key) ?? 0) + 1);
  }

  counts(): RequestCounts {
    return {
      requests: this.requests,
      failures: Object.fromEntries(this.failures),
      slowestMs: Math.round(this.slowestMs),
    };
  }
}

export function failedRequests({ failures }: Pick<RequestCounts, 'failures'>): number {
  return Object.values(failures).reduce((sum, count) => sum + count, 0);
}

/** Only a killed process may interrupt requests and repeat webhooks. */
export function problemsOf(figures: LoadFigures, { mayFail }: { readonly mayFail: boolean }): string[] {
  const { failures, payments, lostPayments, duplicatedPayments, lostWebhooks, duplicatedWebhooks, repeatedWebhooks } =
    figures;
  const counted = (count: number, what: string) => (count === 0 ? [] : [`${count} ${what}`]);
  return [
    ...(payments === 0 ? ['no payment was played'] : []),
    ...counted(lostPayments, 'payments lost'),
    ...counted(duplicatedPayments, 'payments duplicated'),
    ...counted(lostWebhooks, 'webhooks lost'),
    ...counted(duplicatedWebhooks, 'webhooks duplicated'),
    ...(mayFail ? [] : counted(repeatedWebhooks, 'webhooks repeated')),
    ...(mayFail ? [] : Object.entries(failures).map(([reason, count]) => `${count} requests failed, ${reason}`)),
  ];
}
