import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { RawApi } from '../raw-api';
import { ownUrl, type Merchant, type RunningSystem } from '../system';
import { atRest } from './at-rest';
import { Bench, type PaymentFigures } from './scenarios';

/** The reload interval of pages after changes. */
const LISTS_MS = 4_000;
const STATISTICS_MS = 15_000;
const WHERE = 'environment=SANDBOX';
/** Requests of the overview and of the list of payments, with their minimum reload intervals. */
const LISTS = [`payments?${WHERE}&limit=20`, `payments?${WHERE}&limit=1`, `exceptions?${WHERE}&status=OPEN&limit=1`];
const STATISTICS = ['payments', 'decisions', 'webhooks'].map((about) => `statistics/${about}?${WHERE}`);

interface Stop {
  (): Promise<void>;
  /** Number of answered requests. */
  readonly answered: () => number;
}

/** Each dashboard belongs to the merchant of the payments and has a stream of changes. */
async function openDashboards(system: RunningSystem, count: number): Promise<Stop> {
  const owner = (system.merchants[0] as (Merchant & { owner: { email: string; password: string } }) | undefined)?.owner;
  if (!owner) throw new Error('the running system has no merchant with an owner');
  const baseUrl = ownUrl(system, 'dashboard-api');
  const api = new RawApi(baseUrl);
  const authorization = `Bearer ${await api.signIn(owner.email, owner.password)}`;
  const stopped = new AbortController();
  const { signal } = stopped;
  let answered = 0;
  const load = (paths: readonly string[]) =>
    Promise.all(
      paths.map(async (path) => {
        const { status } = await api.send({
          method: 'GET',
          path: `/v1/dashboard/${path}`,
          headers: { authorization },
        });
        if (status !== 200) throw new Error(`${path} returned ${status}`);
        answered += 1;
      }),
    );

  const follow = async () => {
    const { statusCode, body } = await request(`${baseUrl}/v1/dashboard/changes?${WHERE}`, {
      headers: { authorization },
      signal,
    });
    if (statusCode !== 200) throw new Error(`opening a stream returned ${statusCode}`);
    await load([...LISTS, ...STATISTICS]);
    const changed = { lists: false, statistics: false };
    const every = async (milliseconds: number, what: keyof typeof changed, paths: readonly string[]) => {
      while (!signal.aborted) {
        await pause(milliseconds, undefined, { signal });
        if (changed[what]) await load(paths);
        changed[what] = false;
      }
    };
    const read = async () => {
      for await (const part of body)
        if (String(part).includes('event: changed')) changed.lists = changed.statistics = true;
    };
    await Promise.all([every(LISTS_MS, 'lists', LISTS), every(STATISTICS_MS, 'statistics', STATISTICS), read()]);
  };
  const failures: unknown[] = [];
  const following = Array.from({ length: count }, () =>
    follow().catch((error: unknown) => {
      if (!signal.aborted) failures.push(error);
    }),
  );
  const stop = async () => {
    stopped.abort();
    await Promise.all(following);
    await api.close();
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${count} dashboards failed`);
  };
  return Object.assign(stop, { answered: () => answered });
}

export interface DashboardFigures {
  readonly dashboards: number;
  /** Payments per second, alternately without and with dashboards. */
  readonly pairs: readonly { readonly without: number; readonly with: number; readonly requests: number }[];
  /** Median of with / without over the pairs. */
  readonly ratio: number;
  readonly lost: number;
  readonly duplicated: number;
}

export interface DashboardOptions {
  readonly dashboards: number;
  readonly inFlight: number;
  readonly pairs: number;
  readonly seconds: number;
  readonly warmSeconds: number;
}

/** Complete payments per second without and with open dashboards, alternately on one system. */
export async function measureWithDashboards(
  system: RunningSystem,
  { dashboards, inFlight, pairs, seconds, warmSeconds }: DashboardOptions,
): Promise<DashboardFigures> {
  const bench = await Bench.open(system);
  try {
    await bench.sustainedPayments(inFlight, warmSeconds);
    const all: PaymentFigures[] = [];
    let requests = 0;
    const play = async (withDashboards: boolean) => {
      await atRest(system);
      const stop = withDashboards ? await openDashboards(system, dashboards) : undefined;
      try {
        const figures = await bench.sustainedPayments(inFlight, seconds);
        all.push(figures);
        return figures.perSecond;
      } finally {
        requests = stop?.answered() ?? requests;
        await stop?.();
      }
    };
    const played = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const isWithFirst = pair % 2 === 1;
      const first = await play(isWithFirst);
      const second = await play(!isWithFirst);
      const [without, withThem] = isWithFirst ? [second, first] : [first, second];
      played.push({ without, with: withThem, requests });
    }
    const ratios = played.map((pair) => pair.with / pair.without).sort((a, b) => a - b);
    const middle = (ratios.length - 1) / 2;
    const ratio = ((ratios[Math.floor(middle)] ?? 0) + (ratios[Math.ceil(middle)] ?? 0)) / 2;
    const sum = (of: 'lost' | 'duplicated') => all.reduce((total, each) => total + each[of], 0);
    return { dashboards, pairs: played, ratio, lost: sum('lost'), duplicated: sum('duplicated') };
  } finally {
    await bench.close();
  }
}
