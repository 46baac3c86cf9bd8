import { context, ROOT_CONTEXT, trace, type Context, type ContextManager } from '@opentelemetry/api';
import { currentTraceparent, parseTraceparent } from './tracing';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

class OneContext implements ContextManager {
  private current: Context = ROOT_CONTEXT;
  active = () => this.current;
  with: ContextManager['with'] = (next, work, thisArgument, ...args) => {
    const before = this.current;
    this.current = next;
    try {
      return work.call(thisArgument as never, ...args);
    } finally {
      this.current = before;
    }
  };
  bind: ContextManager['bind'] = (_context, target) => target;
  enable = () => this;
  disable = () => this;
}

describe('trace context of an event', () => {
  beforeAll(() => context.setGlobalContextManager(new OneContext()));
  afterAll(() => context.disable());

  it('is the context of the active span', () => {
    const span = parseTraceparent(TRACEPARENT)!;

    expect(context.with(trace.setSpanContext(ROOT_CONTEXT, span), currentTraceparent)).toBe(TRACEPARENT);
  });

  it('is absent outside a span', () => {
    expect(currentTraceparent()).toBeUndefined();
  });

  it.each([
    ['nothing', undefined],
    ['words', 'hello'],
    ['an unknown version', TRACEPARENT.replace('00-', '01-')],
    ['a trace of zeros', '00-00000000000000000000000000000000-b7ad6b7169203331-01'],
  ])('is ignored when it is %s', (_what, traceparent) => {
    expect(parseTraceparent(traceparent)).toBeUndefined();
  });
});
