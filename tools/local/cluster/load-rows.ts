import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { drain } from './drain';
import { killPod } from './kill-process';
import { kubectl, kubectlJson, NAMESPACE } from './kubectl';
import type { PaymentLoad } from './payment-load';
import { readMemory, readPods, readyTimes, scale, settled, until } from './pods';
import { applyBeforeServices, applyServices, type Release } from './release';
import type { LoadRowName } from './rows';

export interface Stage {
  readonly load: Pick<PaymentLoad, 'played'>;
  readonly rate: number;
  readonly current: Release;
  /** Adds a measurement to the tables. */
  readonly keep: (measured: Measured) => void;
}

export interface Measured {
  readonly memoryUnderLoad?: Readonly<Record<string, number>>;
  readonly readyAlone?: Readonly<Record<string, number>>;
}

interface Row {
  /** Runs before the load. */
  readonly before?: () => Promise<void>;
  readonly after?: () => Promise<void>;
  /** Runs during the load. Returns a description of the result. */
  readonly play: (stage: Stage) => Promise<string>;
}

const MEMORY_SECONDS = 60;
const SAMPLE_MS = 5_000;
const DEADLINE_SECONDS = 45;
const deployments = SERVICES.map((service) => `deployment/${service}`);
const inNamespace = (...args: string[]) => kubectl(['-n', NAMESPACE, ...args]);
/** Every row starts with one replica per service, because an earlier run may have been interrupted. */
export async function oneReplicaEach(): Promise<void> {
  await scale(SERVICES, 1);
  await settled(1);
}

const twice = {
  before: async () => {
    await scale(SERVICES, 2);
    await settled(2);
  },
  after: oneReplicaEach,
};

export const LOAD_ROWS: Readonly<Record<LoadRowName, Row>> = {
  upgrade: {
    async play({ current }) {
      const before = await readVersion();
      await applyBeforeServices(current);
      await applyServices(current);
      await settled(1);
      return `migration Job, then all Deployments together: ${before} replaced by ${await readVersion()}`;
    },
  },
  load: {
    async play({ keep }) {
      const most: Record<string, number> = {};
      const end = performance.now() + MEMORY_SECONDS * 1_000;
      while (performance.now() < end) {
        for (const [app, memory] of Object.entries(await readMemory())) most[app] = Math.max(most[app] ?? 0, memory);
        await delay(SAMPLE_MS);
      }
      keep({ memoryUnderLoad: most });
      return 'one replica of each service';
    },
  },
  restart: {
    async play({ keep }) {
      const readyAlone: Record<string, number> = {};
      for (const service of SERVICES) {
        await inNamespace('rollout', 'restart', `deployment/${service}`);
        await inNamespace('rollout', 'status', `deployment/${service}`, '--timeout=5m');
        await settled(1, service);
        Object.assign(readyAlone, readyTimes((await readPods()).filter(({ app }) => app === service)));
      }
      keep({ readyAlone });
      return 'kubectl rollout restart, one service after the other, one replica each';
    },
  },
  kill: {
    ...twice,
    async play() {
      for (const service of SERVICES) {
        const [pod] = (await readPods()).filter(({ app, isEnding }) => app === service && !isEnding);
        if (pod === undefined) throw new Error(`${service} has no pod.`);
        await killPod(pod.name);
        await until(async () => (await readPods()).every(({ name }) => name !== pod.name), `${pod.name} is gone`);
        await settled(2, service);
      }
      return 'one of two pods, one service after the other';
    },
  },
  drain: { ...twice, play: drain },
  scale: {
    async play({ load, rate }) {
      await scale(['sms-ingest'], 4);
      await settled(4, 'sms-ingest');
      const before = await acceptedTexts();
      await load.played(rate * 15);
      const after = await acceptedTexts();
      await scale(['sms-ingest'], 1);
      await settled(1, 'sms-ingest');
      const shares = [...after].map(([pod, texts]) => texts - (before.get(pod) ?? 0));
      return `kubectl scale; SMS accepted by each of the four replicas in one interval: ${shares.join(', ')}`;
    },
  },
  'never-ready': {
    async play({ current }) {
      const before = await podNames();
      // Without this file the certificate of the broker is not trusted, so the process runs but is never ready.
      for (const deployment of deployments) await inNamespace('patch', deployment, '--patch', NEVER_READY);
      await until(
        async () => (await stoppedRollouts()) === SERVICES.length,
        'every rollout has stopped at its deadline',
      );
      const pods = await readPods();
      const fresh = pods.filter(({ name }) => !before.has(name));
      const kept = pods.filter(({ name, isReady }) => before.has(name) && isReady);
      await inNamespace('rollout', 'undo', ...deployments);
      await applyServices(current);
      await settled(1);
      const ready = fresh.filter(({ isReady }) => isReady).length;
      if (ready > 0 || kept.length !== before.size) {
        throw new Error(
          `${ready} pods of the broken release were ready, ${kept.length} of ${before.size} old pods kept on.`,
        );
      }
      return `${fresh.length} new pods never ready, rollouts stopped after ${DEADLINE_SECONDS} s, all ${kept.length} pods before kept on; rollout undo`;
    },
  },
};

const NEVER_READY = JSON.stringify({
  spec: {
    progressDeadlineSeconds: DEADLINE_SECONDS,
    template: {
      spec: {
        containers: [{ name: 'service', env: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/run/private-ca/missing.crt' }] }],
      },
    },
  },
});

interface Deployment {
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] };
}

async function stoppedRollouts(): Promise<number> {
  const { items } = await kubectlJson<{ items: Deployment[] }>(['-n', NAMESPACE, 'get', ...deployments]);
  return items.filter(({ status }) =>
    status.conditions?.some(({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded'),
  ).length;
}

async function podNames(): Promise<Set<string>> {
  return new Set((await readPods()).map(({ name }) => name));
}

/** The commit in the image name of the running intent-api. */
async function readVersion(): Promise<string> {
  const commit = await inNamespace('exec', 'deploy/intent-api', '--', 'node', '-p', 'process.env.RELEASE_COMMIT');
  return commit.trim().slice(0, 12);
}

/** Texts that each pod of sms-ingest has accepted since its start. */
async function acceptedTexts(): Promise<Map<string, number>> {
  const pods = (await readPods()).filter(({ app }) => app === ('sms-ingest' satisfies ServiceName));
  return new Map(
    await Promise.all(
      pods.map(async ({ name }): Promise<[string, number]> => [
        name,
        Number(await inNamespace('exec', name, '--', 'node', '-e', TEXTS)),
      ]),
    ),
  );
}

const TEXTS = `
fetch('http://127.0.0.1:9090/metrics').then((answer) => answer.text()).then((text) => {
  const line = /^http_request_duration_seconds_count\\{(?=[^}]*sms-events\\/incoming)(?=[^}]*status="202")[^}]*\\} (\\d+)$/m;
  console.log(line.exec(text)?.[1] ?? 0);
});
`;
