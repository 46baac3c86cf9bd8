import { PUBLISHERS, SERVICES, type ServiceName } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';
import { OLDEST_EVENT_DAYS } from './prober';
import { ownerOf, QUEUES, typesOf, type QueueName } from './topology';

/** The probe state in the database of one service; ages in seconds. */
export interface ProbeState {
  /** Types that this service probes, with the age of the last confirmed probe. */
  readonly sent: readonly { readonly type: string; readonly age: number | null }[];
  /** Probes that its queues have received, with the age of the last probe without a gap. */
  readonly received: readonly {
    readonly queue: string;
    readonly publisher: string;
    readonly type: string;
    readonly age: number;
    readonly isMissing: boolean;
  }[];
}

const SENT = statement(
  'inspect-sent-probes',
  `select probes.type, extract(epoch from clock_timestamp() - probes.confirmed_at)::float8 as age
     from probes join outbox on outbox.id = probes.event_id where outbox.created_at > now() - $1 * interval '1 day'`,
);
const RECEIVED = statement(
  'inspect-received-probes',
  `select queue, publisher, type, extract(epoch from clock_timestamp() - sent_at)::float8 as age,
          missing_since is not null as "isMissing" from binding_probes`,
);

export async function readProbeState(db: Queryable): Promise<ProbeState> {
  const [sent, received] = await Promise.all([
    db.query<ProbeState['sent'][number]>(SENT, [OLDEST_EVENT_DAYS]),
    db.query<ProbeState['received'][number]>(RECEIVED),
  ]);
  return { sent, received };
}

export interface BindingState {
  readonly queue: QueueName;
  readonly publisher: ServiceName;
  readonly type: string;
  /** Age in seconds of the last probe that the queue has received; undefined if there is none. */
  readonly age: number | undefined;
  readonly problem: string | undefined;
}

/** Eight rounds. A repair takes up to a minute. */
const TOO_OLD_SECONDS = 120;

/** Every binding whose publisher sends probes, by the states of all services. */
export function inspectBindings(states: Readonly<Record<ServiceName, ProbeState>>): BindingState[] {
  return QUEUES.flatMap((queue) =>
    typesOf(queue).flatMap((type) =>
      SERVICES.filter((service) => PUBLISHERS[type].includes(service)).flatMap((publisher) => {
        const sent = states[publisher].sent.find((probe) => probe.type === type);
        if (sent === undefined) return [];
        const received = states[ownerOf(queue)].received.find(
          (probe) => probe.queue === queue && probe.publisher === publisher && probe.type === type,
        );
        return [{ queue, publisher, type, age: received?.age, problem: problemOf(sent.age, received) }];
      }),
    ),
  );
}

function problemOf(sentAge: number | null, received: ProbeState['received'][number] | undefined): string | undefined {
  if (sentAge === null) return 'its publisher has sent no probe';
  if (sentAge > TOO_OLD_SECONDS) return `its publisher sent the last probe ${Math.round(sentAge)} s ago`;
  if (received === undefined) return 'no probe was received';
  if (received.isMissing) return 'probes are missing, and their replay is not requested yet';
  if (received.age > TOO_OLD_SECONDS) return `the last probe was received ${Math.round(received.age)} s ago`;
  return undefined;
}
