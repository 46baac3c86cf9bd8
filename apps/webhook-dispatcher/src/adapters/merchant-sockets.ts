import type { Socket } from 'node:net';
import { Agent, Client, Pool, type buildConnector, type Dispatcher } from 'undici';

export type MerchantRequest = Dispatcher.RequestOptions & { readonly origin: string };

export type Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

export interface Sending {
  readonly answer: Promise<Answer>;
  /** True if the request failed on a kept socket before the first byte of a response. */
  isStale(): boolean;
  /** Called when the rest of the response is not needed. */
  end(): void;
}

export interface MerchantSockets {
  /** Uses the socket of an earlier request if there is one. */
  send(request: MerchantRequest): Sending;
  /** Uses a new socket for this request only. */
  sendAlone(request: MerchantRequest): Sending;
  close(): Promise<void>;
}

export interface SocketSettings extends Omit<Pool.Options, 'connect' | 'factory'> {
  readonly connect: buildConnector.connector;
}

export function openMerchantSockets(settings: SocketSettings): MerchantSockets {
  const { clientTtl, ...ofClient } = settings;
  const agent = new Agent({
    ...settings,
    factory: (origin) => new Pool(origin, { ...settings, factory: (to) => watchedClient(to, ofClient) }),
  });
  return {
    send(request) {
      const use: Use = { isStale: () => false };
      const answer = agent.request<Use>({ ...request, opaque: use });
      return { answer, isStale: () => use.isStale(), end: () => undefined };
    },

    sendAlone({ origin, ...request }) {
      const client = new Client(origin, ofClient);
      const answer = client.request({ ...request, reset: true });
      return { answer, isStale: () => false, end: () => void client.destroy() };
    },

    close: () => agent.destroy(),
  };
}

interface Use {
  isStale: () => boolean;
}

/**
 * A client has one socket at a time and gets a request after the previous response was read, so unread bytes do not
 * belong to the new request. If the socket differs at the end, the kept one was never used.
 */
function watchedClient(origin: URL, { connect, ...options }: Omit<SocketSettings, 'clientTtl'>): Client {
  let socket: Socket | null = null;
  const client = new Client(origin, {
    ...options,
    connect: (to, done) =>
      connect(to, (...opened) => {
        socket = opened[1];
        done(...opened);
      }),
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (request, handler) => {
    const [kept, bytesRead] = [socket, socket?.bytesRead];
    const { opaque } = request as Dispatcher.RequestOptions<Use>;
    if (opaque) opaque.isStale = () => kept !== null && kept === socket && kept.bytesRead === bytesRead;
    return dispatch(request, handler);
  };
  return client;
}
