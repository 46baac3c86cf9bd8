import { randomUUID } from 'node:crypto';
import { MAX_TTL_SECONDS } from '@pay/contracts';
import { PublicApi } from '../merchant-client';
import { ownUrl, type MerchantAccess, type RunningSystem } from '../system';
import { bkashSendMoney, newTrxId } from '../wallet-texts';
import { WebhookReceiver } from '../webhook-receiver';
import { FLOOR_CONNECTIONS, ratePerSecond } from './floors';

const SECRET = 'bench-receiver-secret-32-characters';

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}
export interface LatencyFigures extends Percentiles {
  readonly perSecond: number;
  readonly payments: number;
  readonly late: number;
}
export interface PaymentFigures {
  readonly perSecond: number;
  readonly payments: number;
  readonly seconds: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly latencyMs: Percentiles;
}

/** APIs of the services of a payment, each at its own port, because the local origin is not part of the system. */
interface ServiceApis {
  readonly intents: PublicApi;
  readonly phones: PublicApi;
  readonly endpoints: PublicApi;
}

function serviceApis(system: RunningSystem): ServiceApis {
  const open = (name: string, connections: number) => new PublicApi(ownUrl(system, name), connections);
  return {
    intents: open('intent-api', 128),
    phones: open('sms-ingest', 128),
    endpoints: open('webhook-dispatcher', 1),
  };
}

/** A merchant with a phone and an endpoint. */
export class Bench {
  private constructor(
    private readonly api: ServiceApis,
    private readonly access: MerchantAccess,
    private readonly receiver: WebhookReceiver,
    private readonly msisdn: string,
    private readonly endpointId: string,
  ) {}

  static async open(system: RunningSystem): Promise<Bench> {
    const access = system.merchants[0]?.sandbox;
    const wallet = access?.receivers.find((receiver) => receiver.paymentMethod === 'BKASH_SEND_MONEY');
    if (!access || !wallet) throw new Error('the running system has no merchant that takes bKash Send Money');
    const receiver = await WebhookReceiver.listen(SECRET);
    const api = serviceApis(system);
    const endpoint = await api.endpoints.registerEndpoint(access, receiver.url, SECRET, ['payment.paid']);
    if (endpoint.status !== 201) throw new Error(`the endpoint was not registered: ${endpoint.status}`);
    return new Bench(api, access, receiver, wallet.msisdn, endpoint.body.id);
  }

  async intentsPerSecond(seconds: number): Promise<number> {
    const create = async () => {
      await this.createIntent();
    };
    return ratePerSecond(create, FLOOR_CONNECTIONS, seconds);
  }

  /** Keeps `inFlight` complete payments running, and checks afterwards that each webhook arrived exactly once. */
  async sustainedPayments(inFlight: number, seconds: number): Promise<PaymentFigures> {
    const latencies: number[] = [];
    const paid: string[] = [];
    let lost = 0;
    const started = performance.now();
    const end = started + seconds * 1000;
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (performance.now() < end) {
          const intent = await this.createIntent();
          try {
            latencies.push(await this.pay(intent));
            paid.push(intent.id);
          } catch {
            lost += 1;
          }
        }
      }),
    );
    const elapsed = (performance.now() - started) / 1000;
    const duplicated = paid.filter((id) => this.receiver.of('payment.paid', id).length > 1).length;
    return {
      perSecond: paid.length / elapsed,
      payments: paid.length,
      seconds: elapsed,
      lost,
      duplicated,
      latencyMs: percentiles(latencies),
    };
  }

  /**
   * From the accepted SMS (202 received) to the received webhook, at a steady rate that does not wait for responses.
   */
  async latency(perSecond: number, seconds: number): Promise<LatencyFigures> {
    const latencies: number[] = [];
    const running: Promise<void>[] = [];
    let late = 0;
    const started = performance.now();
    for (let number = 0; number < perSecond * seconds; number += 1) {
      const due = started + (number * 1000) / perSecond;
      const wait = due - performance.now();
      if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
      running.push(
        this.createIntent()
          .then((intent) => this.pay(intent))
          .then((latency) => void latencies.push(latency))
          .catch(() => void (late += 1)),
      );
    }
    await Promise.all(running);
    return { perSecond, payments: latencies.length, late, ...percentiles(latencies) };
  }

  private async createIntent(): Promise<{ id: string; amount: string; reference: string }> {
    const amount = (100 + Math.floor(Math.random() * 900_000) / 100).toFixed(2);
    const { status, body } = await this.api.intents.createIntent(this.access, {
      amount,
      idempotencyKey: randomUUID(),
      merchantReference: 'bench',
      // Unpaid intents must not expire during another measurement.
      ttlSeconds: MAX_TTL_SECONDS,
      paymentMethod: 'BKASH_SEND_MONEY',
    });
    if (status !== 201) throw new Error(`an intent was not created: ${status}`);
    return { id: body.id, amount, reference: body.customerReference };
  }

  private async pay(intent: { id: string; amount: string; reference: string }): Promise<number> {
    const message = bkashSendMoney({ amount: intent.amount, reference: intent.reference, trxId: newTrxId(new Date()) });
    const accepted = await this.api.phones.forwardSms(this.access, {
      sender: 'bKash',
      message,
      receiverMsisdn: this.msisdn,
    });
    const acceptedAt = performance.now();
    if (accepted.status !== 202) throw new Error(`an SMS was not accepted: ${accepted.status}`);
    const webhook = await this.receiver.next('payment.paid', intent.id);
    if (!webhook.isGenuine) throw new Error('a webhook did not verify');
    return webhook.at - acceptedAt;
  }

  /** Deletes the endpoint, because later payments would still be sent to it and retried. */
  async close(): Promise<void> {
    await this.api.endpoints.deleteEndpoint(this.access, this.endpointId);
    await Promise.all(Object.values(this.api).map((each: PublicApi) => each.close()));
    await this.receiver.close();
  }
}

export function percentiles(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
