import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '..');
const FOLDER = join(ROOT, 'deploy', 'observability');
const RUNBOOKS = join(ROOT, 'docs', 'runbooks');
const SERVICES = ['intent-api', 'checkout-api', 'sms-ingest', 'reconciler', 'webhook-dispatcher', 'dashboard-api'];
const PROMTOOL_MS = 120_000;

interface Metric {
  readonly kind: string;
  readonly labels: Record<string, string | string[]>;
  readonly buckets?: readonly number[];
}
interface Telemetry {
  readonly metrics: Record<string, Metric>;
  readonly logEvents: Record<string, unknown>;
}
const telemetry = JSON.parse(readFileSync(join(ROOT, 'docs', 'telemetry.json'), 'utf8')) as Telemetry;

const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const filesIn = (folder: string, end: string) => readdirSync(folder).filter((name) => name.endsWith(end));
const ruleFiles = filesIn(join(FOLDER, 'rules'), '.yaml').map((name) => ({ name, text: read(FOLDER, 'rules', name) }));
const alerts = ruleFiles.flatMap(({ text }) => [...text.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name));
const recorded = ruleFiles.flatMap(({ text }) => [...text.matchAll(/- record: (\S+)/g)].map(([, name = '']) => name));

/** The expression after `expr:`, on the same line or indented below. */
function expressionsOf(text: string): string[] {
  return [...text.matchAll(/^( *)expr: (?:\|\n((?:\1 {2}.*\n)+)|(.+))/gm)].map(
    ([, , block, line]) => block ?? line ?? '',
  );
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const dashboards = filesIn(join(FOLDER, 'dashboards'), '.json').map((name) => ({
  name,
  dashboard: JSON.parse(read(FOLDER, 'dashboards', name)) as {
    uid: string;
    panels: Panel[];
    templating: { list: { type: string; query: string | { query: string } }[] };
  },
}));

const expressions = [
  ...ruleFiles.flatMap(({ name, text }) => expressionsOf(text).map((expr) => [name, expr] as const)),
  ...dashboards.flatMap(({ name, dashboard: { panels, templating } }) => [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => [name, expr] as const)),
    ...templating.list.flatMap(({ type, query }) =>
      type === 'query' && typeof query === 'object' ? [[name, query.query] as const] : [],
    ),
  ]),
];

const WORDS = new Set(
  (
    'sum max min avg count rate increase by on and or unless offset time vector abs absent histogram_quantile max_over_time ' +
    'min_over_time avg_over_time last_over_time label_values le group_left ignoring without changes'
  ).split(' '),
);
/** Labels that Prometheus, the target or the registry adds. */
const COMMON_LABELS = ['service', 'job', 'instance', 'pod', 'le'];

/** A metric name and its matchers. Example: `sms_received_total{status="UNPARSED"}` */
const SELECTOR = /([a-zA-Z_:][\w:]*)\s*(?:\{([^}]*)\})?/g;
/** One matcher. Example: `status=~"5.."` */
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;

const ofPods = { kind: 'gauge', labels: { namespace: 'of the pod', pod: 'name' } };
const ofVolumes = { kind: 'gauge', labels: { namespace: 'of the claim', persistentvolumeclaim: 'name' } };
/** Used metrics of others: Prometheus, CloudNativePG, its Barman Cloud plugin, RabbitMQ, kubelet, Blackbox Exporter. */
const EXTERNAL: Telemetry['metrics'] = {
  cnpg_pg_replication_streaming_replicas: ofPods,
  cnpg_pg_stat_archiver_last_failed_time: ofPods,
  cnpg_pg_stat_archiver_last_archived_time: ofPods,
  barman_cloud_cloudnative_pg_io_last_available_backup_timestamp: ofPods,
  rabbitmq_identity_info: ofPods,
  probe_ssl_earliest_cert_expiry: { kind: 'gauge', labels: {} },
  probe_success: { kind: 'gauge', labels: {} },
  up: { kind: 'gauge', labels: {} },
  kubelet_volume_stats_available_bytes: ofVolumes,
  kubelet_volume_stats_capacity_bytes: ofVolumes,
};

function metricOf(name: string): Metric | undefined {
  const metrics = { ...telemetry.metrics, ...EXTERNAL };
  const histogram = metrics[name.replace(/_(bucket|sum|count)$/, '')];
  return metrics[name] ?? (histogram?.kind === 'histogram' ? histogram : undefined);
}

/** Prometheus 3 stores the bound 1 as 1.0, earlier versions as 1. */
const SPELLINGS: readonly ((bound: number) => string)[] = [
  String,
  (bound) => (Number.isInteger(bound) ? bound.toFixed(1) : String(bound)),
];

/** A matcher of `le` must select exactly one bucket in every spelling. */
function selectsOneBucket(operator: string, value: string, buckets: readonly number[]): boolean {
  const pattern = value.replaceAll('\\\\', '\\');
  const isSelected = (le: string) =>
    operator === '=' ? le === value : operator === '=~' && new RegExp(`^(?:${pattern})$`).test(le);
  const [selected = [], ...others] = SPELLINGS.map((spell) => buckets.filter((bound) => isSelected(spell(bound))));
  return selected.length === 1 && others.every((other) => other.join() === selected.join());
}

function problemsOf(expression: string): string[] {
  const withoutGroups = expression.replace(/\b(by|on|without|ignoring) \([^)]*\)/g, ' ');
  const withoutWindows = withoutGroups.replace(/\[[^\]]*\]/g, ' ').replace(/offset \w+/g, ' ');
  // The second argument of label_values is a label.
  const plain = withoutWindows.replace(/label_values\(([^,]+), \w+\)/, '$1');
  const known = new Set(COMMON_LABELS);
  const problems: string[] = [];
  for (const [, name = '', matchers = ''] of plain.matchAll(SELECTOR)) {
    if (WORDS.has(name) || recorded.includes(name) || /^\d/.test(name)) continue;
    const metric = metricOf(name);
    if (metric === undefined) {
      problems.push(`${name} is no metric`);
      continue;
    }
    for (const label of Object.keys(metric.labels)) known.add(label);
    for (const [, label = '', operator = '', value = ''] of matchers.matchAll(MATCHER)) {
      const values = metric.labels[label];
      if (label === 'le' && !selectsOneBucket(operator, value, metric.buckets ?? []))
        problems.push(`${name}: le${operator}"${value}" does not select one bucket in every version of Prometheus`);
      if (values === undefined && !COMMON_LABELS.includes(label)) problems.push(`${name} has no label ${label}`);
      if (!Array.isArray(values) || value.startsWith('$')) continue;
      const given = operator.endsWith('~') ? value.split('|') : [value];
      for (const one of given) if (!values.includes(one)) problems.push(`${name}: ${label} is never ${one}`);
    }
  }
  if (recorded.some((name) => expression.includes(name))) known.add('service');
  for (const [, , labels = ''] of expression.matchAll(/\b(by|on|without|ignoring) \(([^)]*)\)/g)) {
    for (const label of labels.split(',').map((each) => each.trim()))
      if (!known.has(label)) problems.push(`no metric of the expression has the label ${label}`);
  }
  return problems;
}

describe('rules and dashboards', () => {
  it('exist, each dashboard with a unique id', () => {
    expect(expressions.length).toBeGreaterThan(100);
    expect(new Set(dashboards.map(({ dashboard }) => dashboard.uid)).size).toBe(5);
  });

  it('name metrics, labels and values of labels that the catalogue has', () => {
    const wrong = expressions.flatMap(([file, expr]) =>
      problemsOf(expr).map((problem) => `${file}: ${problem}: ${expr}`),
    );

    expect(wrong).toEqual([]);
  });

  it.each([
    ['sum(rate(sms_recieved_total[5m]))', 'sms_recieved_total is no metric'],
    ['sms_received_total{provder="BKASH"}', 'sms_received_total has no label provder'],
    ['sms_received_total{provider="BIKASH"}', 'sms_received_total: provider is never BIKASH'],
    ['sum by (queue) (rate(sms_received_total[5m]))', 'no metric of the expression has the label queue'],
    ['sms_received_total_bucket', 'sms_received_total_bucket is no metric'],
    ...['le="1"', 'le="1.0"', 'le=~"1"', 'le=~"1.*"', 'le=~"3(\\\\.0)?"'].map((matcher) => [
      `sms_to_paid_seconds_bucket{${matcher}}`,
      `sms_to_paid_seconds_bucket: ${matcher} does not select one bucket in every version of Prometheus`,
    ]),
    ['cnpg_pg_replication_replicas', 'cnpg_pg_replication_replicas is no metric'],
    ['kubelet_volume_stats_capacity_bytes{pvc="x"}', 'kubelet_volume_stats_capacity_bytes has no label pvc'],
  ])('%s is refused', (expression, problem) => {
    expect(problemsOf(expression)).toEqual([problem]);
  });

  it(
    'are accepted by promtool, with their tests (not checked where it is not installed)',
    () => {
      const paths = (folder: string) =>
        filesIn(join(FOLDER, folder), '.yaml').map((name) => join(FOLDER, folder, name));
      if (spawnSync('promtool', ['--version']).error !== undefined) {
        process.stdout.write('NOT CHECKED: promtool is not installed (Debian: apt-get install prometheus)\n');
        return;
      }
      for (const args of [
        ['check', 'rules', ...paths('rules')],
        ['test', 'rules', ...paths('rule-tests')],
      ]) {
        const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', timeout: PROMTOOL_MS });
        expect({
          status,
          failures: `${stdout}${stderr}`.split('\n').filter((line) => line.includes('FAILED')),
        }).toEqual({
          status: 0,
          failures: [],
        });
      }
    },
    2 * PROMTOOL_MS,
  );

  it('the configuration of the collector is accepted by it (not checked where it is not installed)', () => {
    const env = { ...process.env, OTLP_BACKEND_ENDPOINT: '127.0.0.1:4317' };
    const args = ['validate', '--config', join(FOLDER, 'collector', 'config.yaml')];
    const { error, status, stderr } = spawnSync('otelcol-contrib', args, { encoding: 'utf8', env });
    if (error !== undefined) process.stdout.write('NOT CHECKED: otelcol-contrib is not installed\n');
    else expect({ status, stderr }).toMatchObject({ status: 0 });
  });

  it('have the severity `page` or `ticket`, because Alertmanager may mute others, except for the one that fires always', () => {
    const severities = ruleFiles.flatMap(({ text }) =>
      [...text.matchAll(/- alert: (\w+)[\s\S]*?severity: (.+)/g)].map(([, alert, severity]) => [alert, severity]),
    );

    expect(severities.map(([alert]) => alert)).toEqual(alerts);
    // The metric of a task has one of both as a label.
    const others = { GatewayWatchdog: 'none', TaskFailing: "'{{ $labels.severity }}'" };
    expect(Object.fromEntries(severities.filter(([, severity]) => !/^(page|ticket)$/.test(severity ?? '')))).toEqual(
      others,
    );
  });

  it('every alert is unit-tested', () => {
    const tests = filesIn(join(FOLDER, 'rule-tests'), '.yaml')
      .map((name) => read(FOLDER, 'rule-tests', name))
      .join('\n');
    const tested = new Set([...tests.matchAll(/alertname: (\w+)/g)].map(([, name]) => name));

    expect(alerts.filter((alert) => !tested.has(alert))).toEqual([]);
  });
});

describe('docs/runbooks', () => {
  const pages = filesIn(RUNBOOKS, '.md').filter((name) => name !== 'README.md');
  const commands = pages.flatMap((page) =>
    [...read(RUNBOOKS, page).matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = '']) =>
      block
        .trim()
        .split('\n')
        .map((command) => [page, command] as const),
    ),
  );

  it('has one page for each alert, to which the alert links, and no other', () => {
    expect(pages.toSorted()).toEqual([...new Set(alerts)].map((alert) => `${alert}.md`).toSorted());
    for (const { text } of ruleFiles) {
      const links = [...text.matchAll(/- alert: (\w+)[\s\S]*?runbook_url: (\S+)/g)];
      for (const [, alert, link] of links) expect(link).toBe(`docs/runbooks/${alert}.md`);
    }
  });

  it('routes the alert that fires always to a receiver outside, once a minute', () => {
    const [, example = ''] = /```yaml\n([^`]*)```/.exec(read(RUNBOOKS, 'GatewayWatchdog.md')) ?? [];
    const { route, receivers } = parse(example);

    expect(route.routes).toEqual([
      {
        matchers: ['alertname = "GatewayWatchdog"'],
        receiver: receivers[0].name,
        group_wait: '0s',
        group_interval: '1m',
        repeat_interval: '50s',
      },
    ]);
  });

  it('links to pages that exist', () => {
    const broken = filesIn(RUNBOOKS, '.md').flatMap((page) =>
      [...read(RUNBOOKS, page).matchAll(/\]\(([^)#:]+)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !existsSync(join(RUNBOOKS, link)))
        .map((link) => `${page}: ${link}`),
    );

    expect(broken).toEqual([]);
  });

  it('names services, metrics and log events that exist', () => {
    const { metrics, logEvents } = telemetry;
    const series = Object.entries(metrics).flatMap(([name, { kind }]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    );
    const isThere = {
      ready: () => true,
      metrics: (part: string) => series.some((name) => name.includes(part)),
      logs: (part: string) =>
        part.startsWith('\'"level":') || Object.keys(logEvents).some((name) => name.includes(part)),
      cli: (part: string) => part !== '',
      parked: (part: string) => part === 'list' || part === 'replay',
      replay: (part: string) => part === 'status',
    };
    const wrong = commands.filter(([, command]) => {
      const [node, tool, service = '', action = '', part = ''] = command.split(' ');
      const exists = Object.entries(isThere).find(([name]) => name === action)?.[1];
      return node !== 'node' || tool !== 'tools/operate.mjs' || !SERVICES.includes(service) || !exists?.(part);
    });

    expect(commands.length).toBeGreaterThan(60);
    expect(wrong).toEqual([]);
  });
});

describe('the alert TaskFailing', () => {
  const tasks = telemetry.metrics['task_interval_seconds']?.labels['task'] as string[];

  it('has a runbook that names every task', () => {
    const page = read(RUNBOOKS, 'TaskFailing.md');
    expect(tasks.filter((task) => !page.includes(`\`${task}\``))).toEqual([]);
  });
});
