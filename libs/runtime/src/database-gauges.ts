import type { MetricEntry } from './catalogue/entries';
import { METRICS, type LabelOf, type NameOf } from './catalogue/metrics';
import { inTime } from './in-time';
import type { Logger } from './logger';
import type { Metrics } from './metrics';
import { onceAtATime } from './once-at-a-time';

/** All gauges are read at the same time, and Prometheus waits ten seconds for a scrape. */
const READ_TIMEOUT_MS = 2_000;

/** One value, or one per combination of labels. */
type Answer<Label extends string> = number | readonly (Readonly<Record<Label, string>> & { readonly value: number })[];
export type DatabaseGauges = <Name extends NameOf<'gauge'>>(
  name: Name,
  read: () => Promise<Answer<LabelOf<Name>>>,
) => void;

/**
 * Gauges that are read from the database at every scrape. Of rows with the same labels the highest value counts, and
 * labels without a row are 0; if a read fails or takes longer than two seconds, the gauge is NaN and not readable.
 */
export function databaseGauges(metrics: Metrics, log: Logger): DatabaseGauges {
  const readable = metrics.gauge('database_gauge_readable');
  return <Name extends NameOf<'gauge'>>(name: Name, read: () => Promise<Answer<LabelOf<Name>>>) => {
    const labelSets = labelSetsOf<LabelOf<Name>>(METRICS[name]);
    const ask = onceAtATime(read);
    let isReadable = true;
    const note = (isRead: boolean, err?: unknown) => {
      readable.set({ gauge: name }, isRead ? 1 : 0);
      if (isRead !== isReadable) {
        if (isRead) log.info({ gauge: name }, 'gauge.readable');
        else log.warn({ gauge: name, err }, 'gauge.not_readable');
      }
      isReadable = isRead;
    };
    note(true);
    metrics.gauge(name, async (gauge) => {
      try {
        const answer = await inTime(ask(), READ_TIMEOUT_MS);
        const rows = typeof answer === 'number' ? [{ value: answer }] : answer;
        for (const labels of labelSets) gauge.set(labels, highestOf(rows, labels));
        note(true);
      } catch (error) {
        for (const labels of labelSets) gauge.set(labels, Number.NaN);
        note(false, error);
      }
    });
  };
}

type Labels<Label extends string> = Partial<Record<Label, string>>;

function highestOf(rows: readonly { readonly value: number }[], labels: object): number {
  const isOf = (row: object) => Object.entries(labels).every(([label, value]) => Reflect.get(row, label) === value);
  return rows.filter(isOf).reduce((highest, { value }) => Math.max(highest, value), 0);
}

/** All combinations of the values of the labels, which the catalogue must list. */
function labelSetsOf<Label extends string>({ labels }: MetricEntry): Labels<Label>[] {
  return Object.entries(labels).reduce<Labels<Label>[]>(
    (sets, [label, values]) => {
      if (typeof values === 'string') throw new TypeError(`the catalogue does not list the values of ${label}`);
      return sets.flatMap((set) => values.map((value) => ({ ...set, [label]: value })));
    },
    [{}],
  );
}

/** 0 if there is nothing. */
export function ageInSeconds(since: Date | null | undefined, now: Date): number {
  return since ? Math.max(0, now.getTime() - since.getTime()) / 1_000 : 0;
}
