import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_TYPES, mayPublish, PUBLISHERS, SERVICES, type EventType } from '@pay/contracts';
import { definitionsOf, passwordHash } from './broker-definitions';
import { permissionsOf, permissionList } from './permissions';
import { addressedKey, bindingsOf, familyOf, namesIn, ownerOf, QUEUES, queuesOf, typesOf } from './topology';

const NAMESPACE = 'a.b-c_';
const names = namesIn(NAMESPACE);
const allowed = (pattern: string, all: readonly string[]) => all.filter((name) => new RegExp(pattern).test(name));
const sorted = (all: Iterable<string>) => [...new Set(all)].sort();

const queues = QUEUES.flatMap((queue) => familyOf(queue, names));
const broadcasts = SERVICES.map((service) => names.broadcast(service, '0198a5a0-0000-4000-8000-000000000001'));
const exchanges = [...SERVICES.map(names.own), ...SERVICES.map(names.events)];
const predeclared = ['amq.default', 'amq.topic', 'amq.direct', 'amq.fanout', 'amq.gen-JzTY20BRgKO', ''];
/** Similar names that a pattern without anchors or escapes would match. */
const near = [...queues, ...exchanges].flatMap((name) => [
  `${name}x`,
  `x${name}`,
  name.replaceAll('.', 'x'),
  `${name}.x`,
]);
const everything = [...queues, ...broadcasts, ...exchanges, ...predeclared, ...near];

const keysOf = (type: EventType) => [`${type}.v1`, `${type}.v12`];
const published = EVENT_TYPES.flatMap((type) => [
  ...keysOf(type),
  ...QUEUES.flatMap((queue) => keysOf(type).map((key) => addressedKey(queue, key))),
]);
const bound = EVENT_TYPES.flatMap((type) => [`${type}.*`, ...QUEUES.map((queue) => addressedKey(queue, `${type}.*`))]);
const wild = [
  '#',
  '*',
  '*.*.*',
  'to.#',
  'intent.#',
  'intent.*',
  '',
  'intent.paid',
  'intent.paid.v',
  'intent.paid.v1.x',
];

describe.each(SERVICES)('the permissions of %s', (service) => {
  const { configure, write, read, topics } = permissionsOf(service, NAMESPACE);
  const own = [...queuesOf(service).flatMap((queue) => familyOf(queue, names)), names.own(service)];
  const broadcast = names.broadcast(service, '0198a5a0-0000-4000-8000-000000000001');
  const bindings = queuesOf(service).flatMap(bindingsOf);
  const publishers = new Set(bindings.map(({ publisher }) => publisher));

  it('allow configuring its own queues and its own exchange, and nothing else', () => {
    expect(sorted(allowed(configure, everything))).toEqual(sorted([...own, broadcast]));
  });

  it('allow writing to what it configures and to its event exchange, and nothing else', () => {
    expect(sorted(allowed(write, everything))).toEqual(sorted([...own, broadcast, names.events(service)]));
  });

  it('allow reading what it configures and the exchanges its queues are bound to, and nothing else', () => {
    const events = [...publishers].map(names.events);
    expect(sorted(allowed(read, everything))).toEqual(sorted([...own, broadcast, ...events]));
  });

  it('restrict every topic exchange that it can write to or read, because an exchange without a topic permission is unrestricted', () => {
    const reachable = exchanges.filter((name) => new RegExp(write).test(name) || new RegExp(read).test(name));
    expect(sorted(topics.map(({ exchange }) => exchange))).toEqual(
      sorted(reachable.filter((name) => name !== names.own(service))),
    );
  });

  it('allow publishing its own event types, to all and to single queues, and nothing else', () => {
    const types = EVENT_TYPES.filter((type) => mayPublish(service, type));
    const expected = types.flatMap((type) => [
      ...keysOf(type),
      ...QUEUES.filter((queue) => (typesOf(queue) as readonly string[]).includes(type)).flatMap((queue) =>
        keysOf(type).map((key) => addressedKey(queue, key)),
      ),
    ]);
    for (const { exchange, write: keys } of topics) {
      const wanted = exchange === names.events(service) ? sorted(expected) : [];
      expect(sorted(allowed(keys, [...published, ...bound, ...wild.filter((key) => key !== '')]))).toEqual(wanted);
    }
  });

  it('allow binding the keys of the topology, and nothing else', () => {
    for (const { exchange, read: keys } of topics) {
      const expected = bindings.filter(({ publisher }) => names.events(publisher) === exchange).map(({ key }) => key);
      expect(sorted(allowed(keys, [...published, ...bound, ...wild.filter((key) => key !== '')]))).toEqual(
        sorted(expected),
      );
    }
  });
});

describe('the topology', () => {
  it.each(QUEUES)('assigns %s to exactly one service', (queue) => {
    const name = names.work(queue);
    const holders = SERVICES.filter((service) => new RegExp(permissionsOf(service, NAMESPACE).read).test(name));
    expect(holders).toEqual([ownerOf(queue)]);
  });

  it('has one publisher for every type, except for usage reports and requests', () => {
    const shared = EVENT_TYPES.filter((type) => PUBLISHERS[type].length !== 1);
    expect(sorted(shared)).toEqual(['api_key.used', 'directory.resend_requested', 'messaging.replay_requested']);
  });

  it.each(EVENT_TYPES)('binds a queue to every publisher of %s', (type) => {
    const bindings = QUEUES.flatMap(bindingsOf).filter(({ key }) => key === `${type}.*`);
    expect(sorted(bindings.map(({ publisher }) => publisher))).toEqual(sorted(PUBLISHERS[type]));
  });
});

describe('docs/messaging-security.md', () => {
  it('contains the current permissions; `node tools/broker.mjs permissions` prints them', () => {
    const page = readFileSync(join(__dirname, '../../../../docs/messaging-security.md'), 'utf8');

    expect(page).toContain(`\n${permissionList()}\n`);
  });

  it('has no line above 120 characters in the list of permissions', () => {
    expect(permissionList().split('\n').length).toBeGreaterThan(6 * 4);
    expect(
      permissionList()
        .split('\n')
        .filter((line) => line.length > 120),
    ).toEqual([]);
  });
});

describe('the accounts', () => {
  const passwords = Object.fromEntries(SERVICES.map((service) => [service, `secret of ${service}`])) as never;
  const definitions = definitionsOf({ namespace: '', vhost: '/', passwords });

  it("contain passwords only as salted hashes in RabbitMQ's format", () => {
    const salt = Buffer.from('908dc60a', 'hex');
    // The example in RabbitMQ's documentation.
    expect(passwordHash('test12', salt)).toBe('kI3GCqW5JLMJa4iX1lo7X4D6XbYqlLgxIs30+P6tENUV2POR');
    for (const { name, password_hash: hash } of definitions.users) {
      const bytes = Buffer.from(hash, 'base64');
      const expected = createHash('sha256').update(bytes.subarray(0, 4)).update(`secret of ${name}`).digest();
      expect(bytes.subarray(4)).toEqual(expected);
    }
    expect(JSON.stringify(definitions)).not.toContain('secret of');
  });

  it('have no tags, so that none of them can administer or inspect the broker', () => {
    expect(definitions.users.map(({ tags }) => tags)).toEqual(SERVICES.map(() => ''));
  });
});
