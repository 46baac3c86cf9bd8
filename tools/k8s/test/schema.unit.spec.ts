import { join } from 'node:path';
import Ajv from 'ajv';
import ts from 'typescript';
import { componentFolder, overlayFolder, readManifests, render, type Manifest } from './render';

const ROOT = join(__dirname, '..', '..', '..');
const PACKAGES: Record<string, string> = {
  'keda.sh': '@kubernetes-models/keda/',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg/',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api/',
  'external-secrets.io': '@kubernetes-models/external-secrets/',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator/',
};
const BUILT_IN = ['v1', 'apps/v1', 'batch/v1', 'policy/v1', 'networking.k8s.io/v1', 'autoscaling/v2'];

const text = { type: 'string', minLength: 1 };
const closed = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const cluster = { rabbitmqClusterReference: closed({ name: text }) };
const permissions = (more: Record<string, object>) =>
  closed({ user: text, vhost: text, ...cluster, permissions: closed({ write: text, read: text, ...more }) });
/** No package contains types of these resources, so this lists the used fields. */
const SPECS: Record<string, object> = {
  Exchange: closed({
    name: text,
    type: { const: 'topic' },
    durable: { type: 'boolean' },
    autoDelete: { type: 'boolean' },
    vhost: text,
    ...cluster,
  }),
  User: closed({ importCredentialsSecret: closed({ name: text }), ...cluster }),
  Permission: permissions({ configure: text }),
  TopicPermission: permissions({ exchange: text }),
  RabbitmqCluster: closed({
    replicas: { type: 'integer' },
    image: text,
    persistence: closed({ storage: text }),
    resources: {},
    tls: closed({ secretName: text, disableNonTLSListeners: { type: 'boolean' } }),
    rabbitmq: closed({ additionalConfig: text }),
    affinity: {},
    override: {},
    terminationGracePeriodSeconds: { type: 'integer' },
  }),
  ObjectStore: closed({
    retentionPolicy: { type: 'string', pattern: '^[1-9][0-9]*[dwm]$' },
    instanceSidecarConfiguration: closed({ resources: closed({ requests: {}, limits: {} }) }),
    configuration: closed({
      destinationPath: { type: 'string', pattern: '^s3://' },
      s3Credentials: closed({ accessKeyId: {}, secretAccessKey: {} }),
      wal: closed({ compression: text, maxParallel: { type: 'integer' } }),
      data: closed({ compression: text, jobs: { type: 'integer' } }),
    }),
  }),
};

function moduleOf(apiVersion: string): string | undefined {
  if (BUILT_IN.includes(apiVersion)) return `kubernetes-models/${apiVersion}`;
  const home = PACKAGES[apiVersion.split('/')[0] ?? ''];
  return home === undefined ? undefined : `${home}${apiVersion}`;
}

/** Type errors of manifests as literals of their types: unknown fields and wrong values. */
function typeErrors(manifests: readonly Manifest[]): string[] {
  const file = join(ROOT, 'tools', 'k8s', 'test', '__manifests.ts');
  const source = manifests
    .map((each, index) => {
      const type = `import('${moduleOf(each.apiVersion)}').I${each.kind}`;
      return `export const m${index}: ${type} = ${JSON.stringify(each)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(file, source, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? source : readFile(name));
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0 }) => {
    const manifest = manifests[source.slice(0, start).split('\n').length - 1];
    return `${manifest?.kind} ${manifest?.metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

const all = [
  ...render(overlayFolder('production')),
  ...render(overlayFolder('local')),
  ...readManifests(join(ROOT, 'deploy/k8s/components/ingress/ingress.yaml')),
  ...readManifests(join(ROOT, 'deploy/k8s/jobs/operator.yaml')),
  ...render(overlayFolder('production'), componentFolder('restore')).filter(({ kind }) => kind === 'Cluster'),
];
const typed = all.filter(({ apiVersion }) => moduleOf(apiVersion) !== undefined);
const others = all.filter(({ apiVersion }) => moduleOf(apiVersion) === undefined);

describe('the schemas of Kubernetes and of custom resources', () => {
  it('know every field of every manifest', () => {
    expect(typeErrors(typed)).toEqual([]);
  });

  it('refuse a misspelled field and a text in place of a number', () => {
    const broken = structuredClone(typed.filter(({ kind }) => kind === 'Deployment').slice(0, 2)) as any[];
    const { containers } = broken[0].spec.template.spec;
    containers[0].readinesProbe = containers[0].readinessProbe;
    broken[1].spec.minReadySeconds = '5';

    expect(typeErrors(broken)).toEqual([
      expect.stringContaining('readinesProbe'),
      expect.stringContaining("Type 'string' is not assignable to type 'number'"),
    ]);
  });

  it('of RabbitMQ and of backups, for the fields that are used, know every field', () => {
    const ajv = new Ajv({ allErrors: true });
    const problems = others.flatMap((each) => {
      const schema = SPECS[each.kind];
      if (schema === undefined) return [`no schema of ${each.kind}`];
      return ajv.validate(schema, each['spec']) ? [] : [`${each.kind} ${each.metadata.name}: ${ajv.errorsText()}`];
    });

    expect(problems).toEqual([]);
    expect(ajv.validate(SPECS['User']!, { importCredentialsSecret: { nam: 'x' } })).toBe(false);
  });
});
