import { problemsOfLine, problemsOfMetrics, type Telemetry } from './telemetry';

const telemetry: Telemetry = {
  metrics: {
    sms_total: { kind: 'counter', labels: { status: ['PARSED'], queue: 'queues' } },
    wait_seconds: { kind: 'histogram', labels: {} },
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
