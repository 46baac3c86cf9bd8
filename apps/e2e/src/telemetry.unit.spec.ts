import { problemsOfLine, problemsOfMetrics, problemsOfSpans, type Telemetry } from './telemetry';

const telemetry: Telemetry = {
  metrics: {
    sms_total: { kind: 'counter', labels: { status: ['PARSED'], queue: 'queues' } },
    wait_seconds: { kind: 'histogram', labels: {} },
  },
  spans: {
    'process {queue}': { kind: 'CONSUMER', attributes: ['messaging.system'] },
    '{method} {route}': { kind: 'SERVER', attributes: [] },
  },
  logEvents: { 'sms.received': { levels: ['info'], fields: ['smsEventId'] } },
};
const WHOLE = [
  '# TYPE sms_total counter',
  'sms_total{status="PARSED",queue="any",service="a"} 1',
  '# TYPE wait_seconds histogram',
  'wait_seconds_bucket{le="1",service="a"} 0',
].join('\n');

describe('problemsOfMetrics', () => {
  it('finds nothing where both agree', () => {
    expect(problemsOfMetrics(telemetry, [WHOLE])).toEqual([]);
  });

  it.each([
    ['# TYPE other_total counter', 'metric other_total is a counter, not a undefined'],
    ['# TYPE sms_total gauge', 'metric sms_total is a gauge, not a counter'],
    ['sms_total{merchant="m"} 1', 'metric sms_total has the label merchant'],
    ['sms_total{status="READ"} 1', 'metric sms_total: status is READ'],
    ['wait_seconds_bucket{le="1",path="/"} 1', 'metric wait_seconds has the label path'],
  ])('%s is a problem', (line, problem) => {
    expect(problemsOfMetrics(telemetry, [WHOLE, line])).toEqual([problem]);
  });

  it('names a metric that no service registers', () => {
    expect(problemsOfMetrics(telemetry, ['# TYPE wait_seconds histogram'])).toEqual([
      'metric sms_total is registered by no service',
    ]);
  });
});

describe('problemsOfLine', () => {
  const line = { time: 't', level: 'info', service: 'a', msg: 'sms.received', smsEventId: '1' };

  it('finds nothing in a line of the catalogue', () => {
    expect(problemsOfLine(telemetry, line)).toEqual([]);
  });

  it('names unknown events, levels and fields', () => {
    expect(problemsOfLine(telemetry, { ...line, msg: 'sms.seen' })).toEqual([
      'log event sms.seen is not in the catalogue',
    ]);
    expect(problemsOfLine(telemetry, { ...line, level: 'warn' })).toEqual([
      'log event sms.received has the level warn',
    ]);
    expect(problemsOfLine(telemetry, { ...line, text: 'x' } as never)).toEqual([
      'log event sms.received has the field text',
    ]);
  });
});

describe('problemsOfSpans', () => {
  const consumed = { name: 'process sms.decisions', kind: 'CONSUMER', attributes: ['messaging.system'] };
  const served = { name: 'GET /v1/things/:id', kind: 'SERVER', attributes: [] };

  it('finds nothing where both agree', () => {
    expect(problemsOfSpans(telemetry, [consumed, served, served])).toEqual([]);
  });

  it.each([
    [{ ...served, name: 'GET' }, 'span GET of kind SERVER is not in the catalogue'],
    [{ ...served, kind: 'CLIENT' }, 'span GET /v1/things/:id of kind CLIENT is not in the catalogue'],
    [{ ...served, attributes: ['url.full'] }, 'span {method} {route} has the attribute url.full'],
  ])('%j is a problem', (span, problem) => {
    expect(problemsOfSpans(telemetry, [consumed, served, span])).toEqual([problem]);
  });

  it('names a span that no service emits, and an attribute that a span never has', () => {
    expect(problemsOfSpans(telemetry, [{ ...consumed, attributes: [] }])).toEqual([
      'span process {queue} never has the attribute messaging.system',
      'span {method} {route} is emitted by no service',
    ]);
  });
});
