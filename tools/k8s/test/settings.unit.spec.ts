import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { loadConfig, secretSettingsOf } from '@pay/runtime';
import type { z } from 'zod';
import { readPageFont } from '../../../apps/checkout-api/src/adapters/page-font';
import { checkoutApiConfig } from '../../../apps/checkout-api/src/config';
import { dashboardServiceConfig } from '../../../apps/dashboard-api/src/config';
import { intentApiConfig } from '../../../apps/intent-api/src/config';
import { reconcilerConfig } from '../../../apps/reconciler/src/config';
import { smsIngestConfig } from '../../../apps/sms-ingest/src/config';
import { webhookDispatcherConfig } from '../../../apps/webhook-dispatcher/src/config';
import { newInstallationSecrets, secretObjects, storeEntries } from '../../local/installation-secrets';
import { IDLE_MS } from '../../local/origin-proxy';
import { findRoute, PUBLIC_ROUTES } from '../../local/routes';
import { settingsMapOf } from './cluster-policies';
import { generatedFiles } from '../generated-files';
import { find, ofKind } from './pod-policies';
import { queriesOf } from './production-policies';
import { overlayFolder, OVERLAYS, readManifests, render } from './render';

const ROOT = join(__dirname, '..', '..', '..');
const SCHEMAS: Record<ServiceName, z.ZodObject> = {
  'intent-api': intentApiConfig,
  'checkout-api': checkoutApiConfig,
  'sms-ingest': smsIngestConfig,
  reconciler: reconcilerConfig,
  'webhook-dispatcher': webhookDispatcherConfig,
  'dashboard-api': dashboardServiceConfig,
};
/** Settings of the image, and of programs that run before the service reads its own. */
const OF_IMAGE = { NODE_ENV: 'production', HOST: '0.0.0.0', PORT: '8080', PRIVATE_PORT: '9090' };
const OF_PROCESS = [
  ...['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'SECRETS_DIRECTORY', 'POD_NAME'],
  ...['OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'TRACE_SAMPLE_RATIO'],
];
/** Replaces the folders that Kubernetes mounts. */
const MOUNTED = mkdtempSync(join(tmpdir(), 'mounted-secrets-'));
afterAll(() => rmSync(MOUNTED, { recursive: true }));

const { settings: SECRETS, ...others } = newInstallationSecrets({
  smtpUrl: 'smtps://gateway:v7KqPz3mXw9LtR2c@mail.example.com',
});
const rendered = OVERLAYS.map((overlay) => ({ overlay, manifests: render(overlayFolder(overlay)) }));
const both = rendered.flatMap((each) => SERVICES.map((service) => ({ ...each, service })));

describe.each(both)('settings of $service in overlay $overlay', ({ overlay, manifests, service }) => {
  const given = {
    ...settingsMapOf(manifests, 'common')['data'],
    ...settingsMapOf(manifests, service)['data'],
  } as Record<string, string>;
  const folder = join(MOUNTED, overlay, service);
  /** The pod sees its Secret as a folder with one file per setting. */
  const asMounted = () => {
    mkdirSync(folder, { recursive: true });
    for (const [key, value] of Object.entries(SECRETS[service])) writeFileSync(join(folder, key), value);
    return { ...OF_IMAGE, ...given, SECRETS_DIRECTORY: folder };
  };

  it('are complete and safe enough for production, with the secrets of a new installation', () => {
    expect(() => loadConfig(SCHEMAS[service], asMounted())).not.toThrow();
  });

  it('are settings that the service, or for shared ones another service, has', () => {
    const own = Object.keys(settingsMapOf(manifests, service)['data'] as object);
    const shared = Object.keys(settingsMapOf(manifests, 'common')['data'] as object);
    const knownAnywhere = SERVICES.flatMap((each) => Object.keys(SCHEMAS[each].shape));
    const variables = find(manifests, 'Deployment', service).spec.template.spec.containers[0].env.map(
      ({ name }: { name: string }) => name,
    );

    expect(own.filter((key) => !(key in SCHEMAS[service].shape) && !OF_PROCESS.includes(key))).toEqual([]);
    expect(shared.filter((key) => !knownAnywhere.includes(key) && !OF_PROCESS.includes(key))).toEqual([]);
    expect(variables.filter((name: string) => !OF_PROCESS.includes(name))).toEqual([]);
  });

  it('leave every secret to the Secret of the service', () => {
    const [external] = ofKind(manifests, 'ExternalSecret').filter(({ metadata }) => metadata.name === service) as any[];
    const entries = storeEntries({ settings: SECRETS, ...others });

    if (external !== undefined) {
      const [{ extract }, ...more] = external.spec.dataFrom;
      expect(more).toEqual([]);
      expect(entries[extract.key]).toBe(SECRETS[service]);
    }
    expect(given['SECRETS_DIRECTORY']).toBe(
      find(manifests, 'Deployment', service).spec.template.spec.containers[0].volumeMounts.find(
        ({ name }: { name: string }) => name === 'secrets',
      ).mountPath,
    );
    expect(Object.keys(SECRETS[service]).filter((key) => key in given || !(key in SCHEMAS[service].shape))).toEqual([]);
    expect(overlay === 'local').toBe(external === undefined);
  });

  it('date every secret of a new installation', () => {
    const { ROTATION_DATES: dates } = loadConfig(SCHEMAS[service], asMounted()) as {
      ROTATION_DATES?: Map<string, Date>;
    };
    const secrets = secretSettingsOf(SCHEMAS[service]).filter((setting) => setting in SECRETS[service]);

    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.filter((setting) => !dates?.has(setting))).toEqual([]);
  });

  it('name ports that the pods open', () => {
    const [container] = find(manifests, 'Deployment', service).spec.template.spec.containers;
    const ports = container.ports.map(({ containerPort }: { containerPort: number }) => String(containerPort));

    expect(ports.toSorted()).toEqual('PORT' in SCHEMAS[service].shape ? ['8080', '9090'] : ['9090']);
    expect(container.args).toEqual([`/app/apps/${service}/main.js`]);
  });

  it('leave time for preStop and SHUTDOWN_SECONDS before the pod is killed', () => {
    const { terminationGracePeriodSeconds: grace, containers } = find(manifests, 'Deployment', service).spec.template
      .spec;
    const { SHUTDOWN_SECONDS } = loadConfig(SCHEMAS[service], asMounted());

    expect(grace).toBeGreaterThanOrEqual(
      Number(containers[0].lifecycle.preStop.sleep.seconds) + Number(SHUTDOWN_SECONDS) + 5,
    );
  });

  it('keep idle connections open for longer than the edge does, and end in time with those of both ports', () => {
    const { SHUTDOWN_SECONDS, IDLE_CONNECTION_GRACE_MS } = loadConfig(SCHEMAS[service], asMounted());

    expect(Number(IDLE_CONNECTION_GRACE_MS)).toBeGreaterThanOrEqual(IDLE_MS + 1_000);
    expect(2 * Number(IDLE_CONNECTION_GRACE_MS)).toBeLessThanOrEqual((Number(SHUTDOWN_SECONDS) - 10) * 1_000);
  });
});

describe.each(rendered)('overlay $overlay', ({ overlay, manifests }) => {
  it('runs six Deployments that differ in a listed set of fields alone', () => {
    const alike = SERVICES.map((service) => {
      const { metadata, spec } = structuredClone(find(manifests, 'Deployment', service));
      const pod = spec.template.spec;
      const [container] = pod.containers;
      for (const field of ['args', 'resources', 'envFrom']) delete container[field];
      container.env = container.env.filter(({ name }: { name: string }) => name !== 'NODE_OPTIONS');
      container.ports = container.ports.filter(({ name }: { name: string }) => name !== 'http');
      delete pod.serviceAccountName;
      pod.volumes = pod.volumes.filter(({ name }: { name: string }) => name !== 'secrets');
      delete metadata.name;
      return JSON.parse(JSON.stringify({ metadata, spec }).replaceAll(`"${service}"`, '"the service"'));
    });

    expect(alike).toEqual(alike.map(() => alike[0]));
  });

  it('has one migration Job, named after the release, with the Secret of each service', () => {
    const [job, ...more] = ofKind(manifests, 'Job') as any[];
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const release = overlay === 'local' ? job.spec.template.spec.containers[0].image.split(':')[1] : version;

    expect(more).toEqual([]);
    expect(job.metadata.name).toBe(`migrate-${release.replaceAll('.', '-')}`);
    expect(job.spec.template.spec.containers.map(({ args }: any) => args)).toEqual(
      SERVICES.map((service) => [`/app/apps/${service}/migrate.js`]),
    );
    expect(job.spec.backoffLimit).toBeLessThanOrEqual(4);
    expect(job.spec.ttlSecondsAfterFinished).toBeGreaterThan(0);
  });
});

describe('the public path map', () => {
  const expected = Object.fromEntries(PUBLIC_ROUTES);
  const { manifests } = rendered[2]!;

  const { rules } = find(manifests, 'HTTPRoute', 'api').spec;
  const ruleOf = rules.flatMap((rule: any) => rule.matches.map(({ path }: any) => [path.value, rule]));

  it('is the same in the routes of Gateway API, to the public port', () => {
    const paths: string[] = ruleOf.map(([path]: [string]) => path);
    const serviceOf = ruleOf.map(([path, { backendRefs }]: any) => [path, backendRefs[0].name]);

    expect(Object.fromEntries(serviceOf)).toEqual({
      ...expected,
      ...Object.fromEntries(paths.map((path) => [path, findRoute(PUBLIC_ROUTES, path)])),
    });
    expect(rules.every(({ backendRefs }: any) => backendRefs.length === 1 && backendRefs[0].port === 8080)).toBe(true);
  });

  it('lets no timeout of the routes end a stream of events or an export', () => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;
    };
    // CSV that is also available as JSON is composed before it is sent.
    const isStream = (content: object) =>
      'text/event-stream' in content || ('text/csv' in content && !('application/json' in content));
    const streams = Object.keys(paths).filter((path) =>
      Object.values(paths[path]!).some(({ responses }) =>
        Object.values(responses).some(({ content = {} }) => isStream(content)),
      ),
    );

    expect(streams.length).toBeGreaterThanOrEqual(7);
    expect(streams.map((path) => [path, findRoute<any>(ruleOf, path)?.timeouts.request])).toEqual(
      streams.map((path) => [path, '0s']),
    );
  });

  it('is the same in the Ingress', () => {
    const [ingress] = readManifests(join(ROOT, 'deploy/k8s/components/ingress/ingress.yaml')) as any[];
    const paths = ingress.spec.rules[0].http.paths;

    expect(Object.fromEntries(paths.map(({ path, backend }: any) => [path, backend.service.name]))).toEqual(expected);
    expect(paths.every(({ backend }: any) => backend.service.port.name === 'http')).toBe(true);
  });

  it('is the same at the edge of the local overlay', () => {
    const [container] = find(rendered[0]!.manifests, 'Deployment', 'edge').spec.template.spec.containers;
    const routes = JSON.parse(container.env.find(({ name }: any) => name === 'ORIGIN_ROUTES').value);

    expect(Object.fromEntries(routes.map(([prefix, { host }]: any) => [prefix, host]))).toEqual(expected);
    expect(routes.every(([, { port }]: any) => port === 8080)).toBe(true);
  });

  it('contains the two pages that the probe of public hosts requests, which need no key', () => {
    const { targets } = find(manifests, 'Probe', 'public-hosts').spec;
    const paths = targets.staticConfig.static.map((address: string) => new URL(address).pathname);

    expect(paths).toEqual(['/v1/openapi.json', `/checkout/assets/${readPageFont().licence.name}`]);
  });

  it('shows the host of the checkout nothing but the checkout', () => {
    const { rules } = find(manifests, 'HTTPRoute', 'checkout').spec;
    const paths: string[] = rules.flatMap(({ matches }: any) => matches.map(({ path }: any) => path.value));

    expect(paths.map((path) => findRoute(PUBLIC_ROUTES, path))).toEqual(paths.map(() => 'checkout-api'));
  });
});

describe('files that follow from others', () => {
  it.each([...generatedFiles(ROOT)])('%s is as `node tools/manifests.mjs` writes it', (path, text) => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
  });
});

describe('signals of autoscaling', () => {
  const queries = ofKind(rendered[2]!.manifests, 'ScaledObject').flatMap(queriesOf);
  const { metrics } = JSON.parse(readFileSync(join(ROOT, 'docs/telemetry.json'), 'utf8'));

  it.each(queries)('%s is a metric that a service or RabbitMQ has', (query) => {
    const [metric = ''] = /[a-z]+(?:_[a-z]+)+/.exec(query) ?? [];

    expect([...Object.keys(metrics), 'rabbitmq_detailed_queue_messages']).toContain(metric);
  });
});

describe('the Secrets of a new installation', () => {
  it('are those that the local overlay names, with the keys that its pods read', () => {
    const tls = { certificate: 'c', key: 'k' };
    const made = secretObjects(
      { settings: SECRETS, ...others },
      { authority: 'a', servers: { postgres: tls, rabbitmq: tls } },
    );
    const names = made.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    const named = ofKind(rendered[0]!.manifests, 'Deployment', 'StatefulSet', 'Job').flatMap((each: any) =>
      each.spec.template.spec.volumes.flatMap(({ secret }: any) =>
        secret === undefined ? [] : [`${each.metadata.namespace}/${secret.secretName}`],
      ),
    );

    expect([...new Set(named)].toSorted()).toEqual(names.toSorted());
  });
});
