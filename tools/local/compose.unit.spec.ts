import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { describeConfig } from '@pay/runtime';
import { parse } from 'yaml';
import type { z } from 'zod';
import { checkoutApiConfig } from '../../apps/checkout-api/src/config';
import { dashboardApiConfig } from '../../apps/dashboard-api/src/config';
import { intentApiConfig } from '../../apps/intent-api/src/config';
import { reconcilerConfig } from '../../apps/reconciler/src/config';
import { smsIngestConfig } from '../../apps/sms-ingest/src/config';
import { webhookDispatcherConfig } from '../../apps/webhook-dispatcher/src/config';
import { COMPOSE_HOSTS, composeSecretFiles } from './compose-secrets';
import { newInstallationSecrets } from './installation-secrets';
import { edgeConfig } from './nginx-config';
import { PUBLIC_ROUTES } from './routes';

const FOLDER = join(__dirname, '..', '..', 'deploy', 'compose');

interface ComposeService {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly profiles?: readonly string[];
  readonly image: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const { services } = parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: Readonly<Record<string, ComposeService>>;
};
const CONFIGS: Readonly<Record<ServiceName, z.ZodObject>> = {
  'intent-api': intentApiConfig,
  'checkout-api': checkoutApiConfig,
  'sms-ingest': smsIngestConfig,
  reconciler: reconcilerConfig,
  'webhook-dispatcher': webhookDispatcherConfig,
  'dashboard-api': dashboardApiConfig,
};
/** Read by Node.js and by telemetry, which has no schema. */
const OTHER_SETTINGS = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'OTEL_SERVICE_NAME', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
/** Set in the image. */
const SETTINGS_OF_IMAGE = ['NODE_ENV', 'HOST', 'PORT', 'PRIVATE_PORT'];

const certificate = { certificate: 'c', key: 'k' };
const secrets = newInstallationSecrets({
  smtpUrl: 'smtps://mail.shop.example',
  postgresHost: COMPOSE_HOSTS.postgres[0],
});
const files = composeSecretFiles(secrets, {
  authority: 'a',
  servers: { postgres: certificate, rabbitmq: certificate, edge: certificate },
});

describe('deploy/compose', () => {
  it('runs every service after its migrations, and no other program of this project except provisioning', () => {
    const own = Object.entries(services).filter(([, { image }]) => image.includes('payment-gateway'));
    const expected = ['provision', ...SERVICES.flatMap((service) => [service, `migrate-${service}`])];

    expect(own.map(([name]) => name).toSorted()).toEqual(expected.toSorted());
    for (const service of SERVICES) {
      expect(services[service]?.command).toEqual([`/app/apps/${service}/main.js`]);
      expect(services[`migrate-${service}`]?.command).toEqual([`/app/apps/${service}/migrate.js`]);
      expect(services[service]?.depends_on).toMatchObject({
        [`migrate-${service}`]: { condition: 'service_completed_successfully' },
      });
    }
  });

  it.each(SERVICES)('gives %s known settings, including all required ones', (service) => {
    const rows = describeConfig(CONFIGS[service]);
    const given = Object.keys(services[service]?.environment ?? {});
    const secret = Object.keys(secrets.settings[service]);
    const known = [...rows.map(({ key }) => key), ...OTHER_SETTINGS];
    // The reconciler has no public routes and ignores this setting.
    const ignored = service === 'reconciler' ? ['TRUSTED_PROXY_CIDRS'] : [];

    expect([...given, ...secret].filter((name) => ![...known, ...ignored].includes(name))).toEqual([]);
    expect(
      rows
        .filter(({ required }) => required)
        .map(({ key }) => key)
        .filter((key) => ![...given, ...secret, ...SETTINGS_OF_IMAGE].includes(key)),
    ).toEqual([]);
  });

  it('hardens every container of this project, and checks the readiness of each service', () => {
    for (const [name, service] of Object.entries(services)) {
      if (!service.image.includes('payment-gateway') && name !== 'edge') continue;
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    }
    for (const service of SERVICES) expect(services[service]?.healthcheck).toBeDefined();
  });

  it('pins the version of every image', () => {
    for (const { image } of Object.values(services)) {
      expect(image).toMatch(/^\$\{[A-Z_]+_IMAGE:-[a-z/-]+:v?\d[\w.-]*\}$/);
    }
  });

  it('lets only webhook-dispatcher and dashboard-api out, and hides the reconciler from the edge', () => {
    const inNetwork = (network: string) => SERVICES.filter((service) => services[service]?.networks?.includes(network));

    expect(inNetwork('outside').toSorted()).toEqual(['dashboard-api', 'webhook-dispatcher']);
    expect(inNetwork('edge').toSorted()).toEqual(SERVICES.filter((service) => service !== 'reconciler').toSorted());
    expect(services['postgres']?.networks).toEqual(['inside']);
    expect(services['rabbitmq']?.networks).toEqual(['inside']);
  });

  it('mounts no file that does not exist, and only secrets that new-secrets writes', () => {
    const sources = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(/:(?=\/)/)[0] ?? ''),
    );
    const ofSecrets = sources.flatMap((source) => source.match(/^\$\{SECRETS_FOLDER:-\.\/secrets\}\/(.*)$/)?.[1] ?? []);
    const isWritten = (path: string) => Object.keys(files).some((file) => file === path || file.startsWith(`${path}/`));

    expect(ofSecrets.length).toBeGreaterThan(12);
    expect(ofSecrets.filter((path) => !isWritten(path))).toEqual([]);
    expect(sources.filter((source) => source.startsWith('.') && !existsSync(join(FOLDER, source)))).toEqual([]);
  });

  it('mounts nothing below a folder that is mounted read-only, where the runtime could not create the place', () => {
    const below = Object.entries(services).flatMap(([name, { volumes = [] }]) => {
      const mounts = volumes.map((volume) => /^(?<source>.+?):(?<target>\/[^:]+)(?<mode>:ro)?$/.exec(volume)?.groups);
      const isInside = (target = '') =>
        mounts.some((other) => other?.['mode'] !== undefined && target.startsWith(`${other['target']}/`));
      return mounts.filter((mount) => isInside(mount?.['target'])).map((mount) => `${name} ${mount?.['target']}`);
    });

    expect(below).toEqual([]);
  });

  it('gives each service the secrets of that service alone', () => {
    for (const service of SERVICES) {
      const mounted = (services[service]?.volumes ?? []).filter((volume) => volume.includes('/services/'));
      expect(mounted).toEqual([`\${SECRETS_FOLDER:-./secrets}/services/${service}:/run/secrets/payment-gateway:ro`]);
    }
  });

  it('lets each role into the database of its service alone, over TLS', () => {
    const lines = readFileSync(join(FOLDER, 'postgres', 'pg_hba.conf'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('host'))
      .map((line) => line.split(/\s+/).slice(0, 3).join(' '));

    expect(lines.toSorted()).toEqual(
      [
        'hostssl all postgres',
        ...SERVICES.map((service) => service.replaceAll('-', '_')).map(
          (role) => `hostssl payment_gateway_${role} +${role}`,
        ),
      ].toSorted(),
    );
  });

  it('serves the public path map at its edge', () => {
    expect(readFileSync(join(FOLDER, 'edge', 'nginx.conf'), 'utf8')).toBe(edgeConfig());
    for (const [prefix, service] of PUBLIC_ROUTES) {
      expect(edgeConfig()).toContain(`location = ${prefix} { set $service ${service};`);
      expect(edgeConfig()).toContain(`location ${prefix}/ { set $service ${service};`);
    }
  });

  it('starts only servers of observation by a profile', () => {
    const withProfile = Object.entries(services).flatMap(([name, { profiles }]) =>
      profiles ? [`${name} ${profiles.join()}`] : [],
    );

    expect(withProfile.toSorted()).toEqual([
      'grafana observability',
      'otel-collector observability',
      'prometheus observability',
    ]);
    expect(readdirSync(join(FOLDER, 'grafana')).toSorted()).toEqual(['dashboards', 'datasources']);
  });
});
