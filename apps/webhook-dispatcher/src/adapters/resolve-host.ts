import { promises as dns } from 'node:dns';
import { setTimeout as delay } from 'node:timers/promises';
import { FreshCache } from '@pay/runtime';
import { isLocalName, LOCALHOST } from './address-guard';
import { codeOf, SendError } from './send-error';

export const LOOKUP_DEADLINE_MS = 2_000;
const FIRST_TRY_MS = 800;
/** Long enough to repeat a lost A query before the deadline of the look-up. */
const A_ANSWER_MS = 1_700;
/** Extra wait for AAAA after the answer to A, because some DNS servers never answer AAAA queries. */
const AAAA_ANSWER_MS = 300;
const LONGEST_CACHED_MS = 60_000;
const FAILURE_CACHED_MS = 5_000;
const CACHED_AT_MOST = 10_000;

/** Throws a SendError of class DNS. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

interface Answer {
  readonly addresses: readonly string[];
  readonly ttlMs: number;
}

type Result = Answer | { readonly failure: SendError; readonly ttlMs: number };

/** Rejects if the name has neither A nor AAAA records. */
export type Lookup = (hostname: string) => Promise<Answer>;

/**
 * Resolves through c-ares, because four hanging `dns.lookup` calls would block all file and crypto calls. Results are
 * cached for their TTL, at most a minute; failures for five seconds; concurrent callers share a query.
 */
export function createResolveHost(lookup: Lookup = askServers(), now: () => number = Date.now): ResolveHost {
  const results = new FreshCache<Result>({
    maxAgeMs: LONGEST_CACHED_MS,
    maxAgeMsOf: ({ ttlMs }) => ttlMs,
    maxEntries: CACHED_AT_MOST,
    clock: now,
  });

  async function resolve(hostname: string): Promise<Result> {
    try {
      return await withinDeadline(lookup(hostname));
    } catch (error) {
      const failure = error instanceof SendError ? error : new SendError('DNS', codeOf(error), { cause: error });
      return { failure, ttlMs: FAILURE_CACHED_MS };
    }
  }

  return async (hostname) => {
    if (isLocalName(hostname)) return [LOCALHOST];
    const result = await results.get(hostname, () => resolve(hostname));
    if (result === undefined) throw new SendError('DNS', 'ENODATA');
    if ('failure' in result) throw result.failure;
    return result.addresses;
  };
}

async function withinDeadline(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SendError('DNS', 'ETIMEOUT')), LOOKUP_DEADLINE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Default: the DNS servers of this machine. `servers` are written as `address:port`. */
export function askServers(servers?: readonly string[]): Lookup {
  const resolver = new dns.Resolver({ timeout: FIRST_TRY_MS, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    const records: { readonly address: string; readonly ttl: number }[] = [];
    const a = resolver.resolve4(hostname, { ttl: true }).then((found) => void records.push(...found));
    const aaaa = resolver.resolve6(hostname, { ttl: true }).then((found) => void records.push(...found));
    // It may fail while A is still pending, and an unhandled rejection ends the process.
    const aaaaEnded = aaaa.catch(() => undefined);
    // If both fail, the reason of the A query is reported.
    const either = a.then(
      () => true,
      () => aaaa.then(() => true).catch(() => a.then(() => true)),
    );
    const isComplete = await Promise.race([either, delay(A_ANSWER_MS, false, { ref: false })]);
    // One address family may be missing, because connections use only addresses that were resolved and checked.
    if (isComplete) await Promise.race([aaaaEnded, delay(AAAA_ANSWER_MS, undefined, { ref: false })]);
    if (records.length === 0) throw new SendError('DNS', 'ENODATA');
    return {
      addresses: records.map(({ address }) => address),
      ttlMs: isComplete ? Math.min(...records.map(({ ttl }) => ttl)) * 1_000 : FAILURE_CACHED_MS,
    };
  };
}
