import { watchCheckout } from '@pay/contracts';
import { operationServer, type CredentialChecks } from '@pay/http';
import { clientAddress } from '@pay/rate-limits';
import type { Express, Request, Response } from 'express';
import type { OpenStreams } from './open-streams';
import type { StreamLimits } from './stream-limits';

export interface CheckoutEventDeps extends Pick<CredentialChecks, 'guard'> {
  readonly streams: Pick<OpenStreams, 'open'>;
  readonly streamLimits: Pick<StreamLimits, 'take'>;
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Disables buffering in proxies, which would delay events.
  'X-Accel-Buffering': 'no',
};

export function mountCheckoutEvents(app: Express, deps: CheckoutEventDeps): void {
  const serve = operationServer(app, deps.guard ? { guard: deps.guard } : {});

  serve(watchCheckout, ({ params, req, res }) => answerWithEvents(deps, params.id.toLowerCase(), req, res));
}

/** Resolves when the stream is open. */
async function answerWithEvents(
  { streams, streamLimits }: CheckoutEventDeps,
  intentId: string,
  request: Request,
  response: Response,
): Promise<{ readonly status: 200 | 204 }> {
  const release = streamLimits.take(clientAddress(request), intentId);
  response.once('close', release);
  // A client that disconnects during a write is not an error.
  response.on('error', () => undefined);
  const known = request.headers['last-event-id'];
  const leave = await streams.open(intentId, typeof known === 'string' ? known : undefined, () => {
    response.writeHead(200, HEADERS);
    return response;
  });
  if (leave === undefined) return { status: 204 };
  if (response.closed) leave();
  else response.once('close', leave);
  // Express uses the handler of GET for HEAD too.
  if (request.method === 'HEAD') response.end();
  return { status: 200 };
}
