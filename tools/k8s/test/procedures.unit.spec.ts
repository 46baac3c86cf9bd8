import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '@pay/contracts';
import { COMPOSE_HOSTS, composeSecretFiles } from '../../local/compose-secrets';
import { newInstallationSecrets } from '../../local/installation-secrets';
import { newCertificates } from '../../local/private-certificates';
import { find, ofKind, titleOf } from './pod-policies';
import { overlayFolder, readManifests, render, type Manifest } from './render';

const ROOT = join(__dirname, '..', '..', '..');
const KUBERNETES = 'docs/recovery-kubernetes.md';
const PAGES = [
  ...['docs/recovery.md', KUBERNETES, 'docs/rotating-secrets.md', 'docs/runbooks/README.md'],
  ...['docs/runbooks/EventsRefused.md', 'deploy/k8s/README.md'],
];
const DAY_MS = 86_400_000;
const production = render(overlayFolder('production'));

/** Commands in `sh` and `bash` blocks and in inline code. */
function commandsOf(page: string): string[] {
  return commandsIn(readFileSync(join(ROOT, page), 'utf8'));
}

function commandsOfSection(page: string, heading: string): string[] {
  const [, section = ''] = readFileSync(join(ROOT, page), 'utf8').split(`\n${heading}\n`);
  return commandsIn(section.split(/\n##+ /)[0] ?? '');
}

function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```(?:ba)?sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block.replaceAll(/\\\n\s*/g, '').split('\n'),
  );
  const sentences = text.replaceAll(/```[\s\S]*?```/g, '');
  const spans = [...sentences.matchAll(/`([^`\n]*)`/g)].map(([, code = '']) => code);
  return [...blocks, ...spans].map((each) => each.trim()).filter((each) => each.includes('kubectl '));
}

interface Requirement {
  readonly key: string;
  readonly values: readonly string[];
  readonly isIn: boolean;
}

/** Example: `app.kubernetes.io/component notin (service, migration)` */
function requirementsOf(selector: string): Requirement[] {
  return selector.split(/,(?![^(]*\))/).map((part) => {
    const set = /^(\S+) (in|notin) \(([^)]*)\)$/.exec(part.trim());
    if (set !== null) {
      const [, key = '', operator, values = ''] = set;
      return { key, values: values.split(',').map((each) => each.trim()), isIn: operator === 'in' };
    }
    const [, key = '', not, value = ''] = /^([^!=]+)(!?)==?(.+)$/.exec(part.trim()) ?? [];
    if (key === '') throw new Error(`${part} is not a selector`);
    return { key, values: [value], isIn: not === '' };
  });
}

/** The argument of `-l`, with or without quotes. */
function selectorOf(command: string): string | undefined {
  const [, single, plain] = / -l (?:'([^']+)'|(\S+))/.exec(command) ?? [];
  return single ?? plain;
}

function isSelected(labels: Record<string, string> | undefined, selector: string): boolean {
  return requirementsOf(selector).every(({ key, values, isIn }) => values.includes(labels?.[key] ?? '') === isIn);
}

/** Labels of objects that operators create, which no manifest contains. */
const OF_OPERATORS = /^cnpg\.io\//;

function everyLabel(): Set<string> {
  const labels = production.flatMap((each) => [
    each.metadata.labels,
    each['spec']?.template?.metadata?.labels,
    each['spec']?.inheritedMetadata?.labels,
  ]);
  return new Set(labels.flatMap((some) => Object.entries<string>(some ?? {}).map(([key, value]) => `${key}=${value}`)));
}

const commands = PAGES.flatMap((page) => commandsOf(page).map((command) => [page, command] as const));

describe('documented commands', () => {
  it('select labels that the manifests have', () => {
    const known = everyLabel();
    const selectors = commands.flatMap(([, command]) => selectorOf(command) ?? []);
    const named = selectors
      .flatMap(requirementsOf)
      .filter(({ key }) => !OF_OPERATORS.test(key))
      .flatMap(({ key, values }) => values.map((value) => `${key}=${value}`))
      .filter((label) => !label.includes('<'));

    expect(named.length).toBeGreaterThan(5);
    expect([...new Set(named)].filter((label) => !known.has(label))).toEqual([]);
  });

  it('scale the six services and nothing else', () => {
    const scaled = commands.flatMap(([, command]) => (/ scale deployment\b/.test(command) ? [command] : []));
    const targets = scaled.map((command) =>
      ofKind(production, 'Deployment')
        .filter(({ metadata }) => isSelected(metadata.labels, selectorOf(command) ?? ''))
        .map(({ metadata }) => metadata.name),
    );

    expect(scaled.map((command) => / --replicas=(\d)/.exec(command)?.[1])).toEqual(['0', '2']);
    expect(targets.map((names) => names.toSorted())).toEqual(scaled.map(() => SERVICES.toSorted()));
  });

  it('pause the autoscalers of KEDA before they scale to zero, and resume them before they scale up', () => {
    const recovery = commandsOf('docs/recovery.md');
    const indexOf = (text: string) => recovery.findIndex((command) => command.includes(text));
    const order = ['paused-replicas=0', '--replicas=0', 'paused-replicas-', '--replicas=2'].map(indexOf);

    expect(ofKind(production, 'ScaledObject').map(({ metadata }: Manifest) => metadata.namespace)).toContain(
      'payment-gateway',
    );
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });
});

describe('the restore of Postgres on Kubernetes', () => {
  it('applies the Cluster alone', () => {
    const procedure = commandsOfSection(KUBERNETES, '## Postgres');
    const [apply = '', ...more] = procedure.filter((command) => command.includes(' apply -k '));
    const selected = production.filter(({ metadata }) => isSelected(metadata.labels, selectorOf(apply) ?? ''));

    expect(selected.map(titleOf)).toEqual(['Cluster postgres']);
    expect(more).toEqual([]);
  });
});

describe('programs of operators on Kubernetes', () => {
  const page = readFileSync(join(ROOT, 'docs/runbooks/README.md'), 'utf8');

  it('run in the container and with the Secret of the Job that the page names', () => {
    const [file = ''] = /deploy\/k8s\/jobs\/\w+\.yaml/.exec(page) ?? [];
    const [job] = readManifests(join(ROOT, file)) as any[];
    const [container] = job.spec.template.spec.containers;
    const { name, key } = container.env.find((each: any) => each.name === 'AMQP_URL').valueFrom.secretKeyRef;

    expect(page).toContain(`containers: [{name: ${container.name}, image: '$image', args: [$1]}]`);
    expect(page).toContain(`create secret generic ${name} \\\n    --from-literal=${key}=`);
    expect(page).toContain(`delete job/${job.metadata.name} secret/${name}`);
  });

  it('find the database of a service by its role', () => {
    const databases = ofKind(production, 'Database').map(({ spec }: any) => [spec.name, spec.schemas[0].name]);

    expect(page).toContain('psql -q -d "payment_gateway_$1" -c "set role $1"');
    expect(databases).toEqual(databases.map(([, role]) => [`payment_gateway_${role}`, role]));
  });
});

describe('the loss of RabbitMQ on Kubernetes', () => {
  const procedure = commandsOfSection(KUBERNETES, '## RabbitMQ');
  const indexOf = (text: string) => procedure.findIndex((command) => command.includes(text));
  const objects = production.filter(({ apiVersion }) => apiVersion.startsWith('rabbitmq.com/'));
  const [cluster, ...clusters] = objects.filter(({ kind }) => kind === 'RabbitmqCluster');
  const kinds = [...new Set(objects.map(({ kind }) => kind))].filter((kind) => kind !== 'RabbitmqCluster');

  const appliedAt = (kind: string) =>
    procedure.findIndex(
      (command) =>
        command.includes(' apply -k deploy/k8s/overlays/production ') &&
        objects
          .filter((each) => each.kind === kind)
          .every(({ metadata }) => isSelected(metadata.labels, selectorOf(command) ?? '')),
    );

  it('waits until every volume of the cluster is deleted', () => {
    const waited = procedure[indexOf('wait --for=delete pvc/')]?.match(/persistence-rabbitmq-server-\d/g);

    expect(clusters).toEqual([]);
    expect(waited).toEqual(
      Array.from({ length: cluster?.['spec'].replicas }, (_, server) => `persistence-rabbitmq-server-${server}`),
    );
  });

  it('deletes the cluster, then every object of its operator, and waits for the same objects', () => {
    const listed = (text: string) => procedure[indexOf(text)]?.match(/\w+(?=\.rabbitmq\.com)/g)?.toSorted();
    const expected = kinds.map((kind) => `${kind.toLowerCase()}s`).toSorted();

    expect(indexOf('delete rabbitmqcluster/rabbitmq')).toBe(0);
    expect(expected.length).toBeGreaterThan(3);
    expect(listed('delete exchanges.rabbitmq.com')).toEqual(expected);
    expect(listed('wait --for=condition=Ready')).toEqual(expected);
  });

  it('applies every object again, the accounts after the cluster is ready', () => {
    const steps = ['RabbitmqCluster', ...kinds].map(appliedAt);

    expect(steps).not.toContain(-1);
    expect(Math.min(...steps)).toBeGreaterThan(indexOf('delete exchanges.rabbitmq.com'));
    expect(appliedAt('RabbitmqCluster')).toBeLessThan(indexOf('condition=AllReplicasReady'));
    expect(appliedAt('User')).toBeGreaterThan(indexOf('condition=AllReplicasReady'));
    expect(Math.max(...steps)).toBeLessThan(indexOf('wait --for=condition=Ready'));
  });

  it('asks every service for its replays', () => {
    const text = readFileSync(join(ROOT, KUBERNETES), 'utf8');
    const [, asked = ''] = /for service in (.*); do\n[^\n]* node \/app\/tools\/replay\.js status/.exec(text) ?? [];

    expect(asked.split(' ').toSorted()).toEqual(SERVICES.toSorted());
  });
});

describe('the rotation of secrets on Kubernetes', () => {
  const text = readFileSync(join(ROOT, 'docs/rotating-secrets.md'), 'utf8');

  it('copies the secrets of every namespace that has some', () => {
    const [, namespaces = ''] = /for namespace in (.*); do/.exec(text) ?? [];
    const having = ofKind(production, 'ExternalSecret').map(({ metadata }) => metadata.namespace);

    expect(namespaces.split(' ').toSorted()).toEqual([...new Set(having)].toSorted());
    expect(text).toContain('kubectl -n "$namespace" annotate externalsecret --all force-sync=');
  });

  it('changes the password of a role by the entry that its operator reads, and waits for that role', () => {
    const [, section = ''] = text.split('\n## Passwords of database and broker\n');
    const [step = ''] = section.split(/\n(?=\d\. )/).filter((each) => each.startsWith('3. '));
    const [, role = ''] = /\.passwordStatus\.(\w+)\.resourceVersion/.exec(step) ?? [];
    const { roles } = find(production, 'Cluster', 'postgres').spec.managed;
    const { name } = roles.find((each: any) => each.name === role).passwordSecret;
    const external = ofKind(production, 'ExternalSecret').find(({ spec }) => spec.target.name === name) as any;

    expect(step).toContain(`get secret ${name} `);
    expect(step).toContain('`payment-gateway/postgres/<service>`');
    expect(external.spec.dataFrom[0].extract.key).toBe(`payment-gateway/postgres/${role.replaceAll('_', '-')}`);
  });

  it('restarts a service only after the copies are new, on every page', () => {
    const restarts = commands.filter(([, command]) => command.includes('rollout restart'));
    const lines = commandsOf('docs/rotating-secrets.md');
    const order = ['force-sync=', '.status.refreshTime', 'rollout restart'].map((part) =>
      lines.findIndex((line) => line.includes(part)),
    );

    expect(restarts.map(([page]) => page)).toEqual(['docs/rotating-secrets.md']);
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });
});

describe('the renewal of certificates', () => {
  const page = readFileSync(join(ROOT, 'docs/rotating-secrets.md'), 'utf8');
  const certificates = newCertificates(COMPOSE_HOSTS);

  it('states for how long certificates are valid', () => {
    const issued = [certificates.authority, certificates.servers.postgres.certificate];
    const days = issued.map((text) => {
      const { validFrom, validTo } = new X509Certificate(text);
      return (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;
    });

    expect(days).toEqual([825, 825]);
    expect(page).toContain('825 days');
  });

  it('copies the certificates of a new folder of Compose, and nothing else', () => {
    const secrets = newInstallationSecrets({ smtpUrl: 'smtp://mail.example' });
    const files = Object.keys(composeSecretFiles(secrets, certificates));
    const [, copied = ''] = /for file in (.*); do/.exec(page) ?? [];

    expect(copied.split(' ').toSorted()).toEqual(files.filter((file) => /\.(?:crt|key)$/.test(file)).toSorted());
  });

  it('names Secrets and entries of the store that the manifests have', () => {
    const externals = ofKind(production, 'ExternalSecret') as any[];
    const named = externals.map(({ metadata, spec }) => `${metadata.namespace} get secret ${spec.target.name} `);
    const entries = externals.flatMap(({ spec }) =>
      [...(spec.data ?? []), ...(spec.dataFrom ?? [])].map(({ remoteRef, extract }: any) => (remoteRef ?? extract).key),
    );
    const read = commandsOfSection('docs/rotating-secrets.md', '## TLS certificates').filter((command) =>
      command.includes(' get secret '),
    );

    expect(read.length).toBeGreaterThan(2);
    expect(read.filter((command) => !named.some((each) => command.includes(each)))).toEqual([]);
    expect((page.match(/payment-gateway\/tls\/\w+/g) ?? []).filter((entry) => !entries.includes(entry))).toEqual([]);
  });
});

describe('an upgrade', () => {
  it('applies the accounts as the runbook of refused events does, which first deletes the permissions of a service', () => {
    const release = commandsOfSection('deploy/k8s/README.md', '## Release');
    const [deletion = '', ...others] = commandsOf('docs/runbooks/EventsRefused.md');
    const [, pattern = ''] = / -o name \| grep -E "([^"]+)" \| xargs kubectl .* delete$/.exec(deletion) ?? [];
    const permissions = [...ofKind(production, 'Permission'), ...ofKind(production, 'TopicPermission')];

    for (const service of SERVICES) {
      const deleted = permissions.filter(({ metadata }) =>
        new RegExp(pattern.replace('$service', service)).test(`/${metadata.name}`),
      );
      expect(deleted).not.toEqual([]);
      expect(deleted).toEqual(permissions.filter(({ spec }) => spec.user === service));
    }
    expect(others).toEqual(release.slice(0, 2));
  });

  it('applies the accounts of the broker, then the migrations, then the services, as the installation does', () => {
    const componentsIn = (lines: readonly string[]) =>
      lines
        .filter((line) => line.includes('apply -k deploy/k8s/overlays/production'))
        .flatMap((line) => / -l app\.kubernetes\.io\/component=(\w+)/.exec(line)?.[1] ?? []);

    const upgrade = componentsIn(commandsOfSection('deploy/k8s/README.md', '## Release'));

    expect(upgrade).toEqual(['account', 'migration', 'service']);
    expect(componentsIn(commandsOfSection('deploy/k8s/README.md', '## Install staging or production'))).toEqual(
      upgrade,
    );
  });
});

describe('the installation', () => {
  const applied: { manifest: Manifest; afterServers: boolean; step: number }[] = [];
  let areServersUp = false;
  commandsOf('deploy/k8s/README.md').forEach((command, step) => {
    if (command.includes('wait --for=condition=Ready') && command.includes('cluster/postgres')) areServersUp = true;
    if (!command.includes('apply -k deploy/k8s/overlays/production')) return;
    const selector = selectorOf(command);
    for (const manifest of production) {
      if (selector !== undefined && !isSelected(manifest.metadata.labels, selector)) continue;
      if (applied.some((each) => each.manifest === manifest)) continue;
      applied.push({ manifest, afterServers: areServersUp, step });
    }
  });
  const stepOf = (kind: string, name: string) =>
    applied.find(({ manifest }) => titleOf(manifest) === `${kind} ${name}`)?.step ?? -1;

  it('applies every object', () => {
    expect(applied).toHaveLength(production.length);
  });

  it('applies an autoscaler after its Deployment, which the webhook of KEDA looks up', () => {
    const scalers = ofKind(production, 'ScaledObject', 'HorizontalPodAutoscaler');
    const early = scalers.filter(
      ({ kind, metadata, spec }: any) => stepOf(kind, metadata.name) <= stepOf('Deployment', spec.scaleTargetRef.name),
    );

    expect(scalers).toHaveLength(SERVICES.length);
    expect(early.map(titleOf)).toEqual([]);
  });

  it('asks for the parts of certificates that are read, and for no other', () => {
    const page = readFileSync(join(ROOT, 'deploy/k8s/README.md'), 'utf8');
    const parts = /`payment-gateway\/tls\/\{?([\w,]+)\}?`\s+with\s+`(\w+)`(?:\s+and\s+`(\w+)`)?/g;
    const asked = [...page.matchAll(parts)].flatMap(([, names = '', ...properties]) =>
      names.split(',').flatMap((name) => properties.filter(Boolean).map((each) => `${name} ${each}`)),
    );
    const read = ofKind(production, 'ExternalSecret').flatMap(({ spec }: any) =>
      (spec.data ?? []).map(({ remoteRef: { key, property } }: any) => `${key} ${property}`),
    );

    expect(asked.map((each) => `payment-gateway/tls/${each}`).toSorted()).toEqual([...new Set(read)].toSorted());
  });

  it('names the namespaces of other programs that the network policies admit', () => {
    const [, section = ''] = readFileSync(join(ROOT, 'deploy/k8s/README.md'), 'utf8').split(
      'needs, before anything here:',
    );
    const [list = ''] = section.split('The network policies name');
    const policies = JSON.stringify(ofKind(production, 'NetworkPolicy'));
    const admitted = [...policies.matchAll(/"kubernetes\.io\/metadata\.name":"([^"]+)"/g)].map(([, name = '']) => name);
    const others = admitted.filter((name) => name !== 'kube-system' && !name.startsWith('payment-gateway'));

    expect([...list.matchAll(/^- in `([^`]+)`/gm)].map(([, name]) => name).toSorted()).toEqual(
      [...new Set(others)].toSorted(),
    );
  });

  it('states the number of alerts that Prometheus must have in the end', () => {
    const rules = ofKind(production, 'PrometheusRule').flatMap(({ spec }: any) =>
      spec.groups.flatMap((each: any) => each.rules),
    );
    const pages = new Set(rules.flatMap(({ annotations }: any) => annotations?.runbook_url ?? []));
    const [, stated] =
      /runbooks.*wc -l +# (\d+) alerts/.exec(readFileSync(join(ROOT, 'deploy/k8s/README.md'), 'utf8')) ?? [];

    expect(Number(stated)).toBe(pages.size);
  });

  it('starts the migrations after Postgres is ready, and the services after the migrations', () => {
    const [job] = ofKind(production, 'Job') as [Manifest];
    const jobStep = stepOf('Job', job.metadata.name);

    expect(applied.find(({ manifest }) => manifest === job)?.afterServers).toBe(true);
    expect(applied.find(({ manifest }) => titleOf(manifest) === 'Cluster postgres')?.afterServers).toBe(false);
    expect(SERVICES.filter((service) => stepOf('Deployment', service) <= jobStep)).toEqual([]);
  });

  it('creates the accounts of the broker after their Secrets are there and before the services', () => {
    const secretsAt = commandsOf('deploy/k8s/README.md').findIndex((command) =>
      command.includes(' externalsecret --all'),
    );
    const accountSteps = SERVICES.map((service) => stepOf('User', service));

    expect(stepOf('ExternalSecret', 'rabbitmq-user-reconciler')).toBeLessThan(secretsAt);
    expect(Math.min(...accountSteps)).toBeGreaterThan(secretsAt);
    expect(Math.max(...accountSteps)).toBeLessThan(stepOf('Deployment', 'reconciler'));
    for (const { kind, metadata } of ofKind(production, 'TopicPermission', 'Permission'))
      expect(stepOf(kind, metadata.name)).toBeGreaterThan(secretsAt);
  });

  it('has the same order with Argo CD', () => {
    const waveOf = ({ metadata }: Manifest) => Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
    const waves = (...kinds: string[]) => [...new Set(ofKind(production, ...kinds).map(waveOf))];

    expect(waves('Cluster', 'RabbitmqCluster')).toEqual([0]);
    expect(waves('ExternalSecret')).toEqual([0]);
    expect(waves('User')).toEqual([1]);
    expect(waves('TopicPermission', 'Permission')).toEqual([2]);
    expect(waves('Job')).toEqual([1]);
    expect(
      production.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'service').map(waveOf),
    ).toEqual(SERVICES.map(() => 3));
    expect(waves('ScaledObject', 'HorizontalPodAutoscaler')).toEqual([4]);
  });
});
