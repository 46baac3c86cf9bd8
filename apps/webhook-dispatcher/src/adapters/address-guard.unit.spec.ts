import { createAddressGuard, isLocalName, literalAddress } from './address-guard';

const guard = createAddressGuard([]);

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '103.4.145.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '11.0.0.1',
  '9.255.255.255',
  '126.255.255.255',
  '168.63.129.15',
  '168.63.129.17',
  '128.0.0.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '2001:4860:4860::8888',
  '2400:cb00::1',
  '3ffe::1',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
];

const BLOCKED = [
  // "this network", private, shared, loopback, link local and metadata
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  // special purpose, documentation, benchmarking, multicast, reserved, broadcast
  '192.0.0.1',
  '192.0.0.170',
  '192.0.0.192',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  // IPv6 loopback, unspecified, mapped, compatible, translated
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  // IPv6 tunnels, documentation, unique local, link and site local, multicast, discard, segment routing, unallocated
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:10::1',
  '2001:20::1',
  '2001:2::1',
  '2620:4f:8000::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  '100::1',
  '5f00::1',
  '4000::1',
  // not addresses
  '',
  'localhost',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '1.2.3.4.5',
  '256.1.1.1',
  '::g',
];

test.each(PUBLIC)('%s is allowed', (address) => {
  expect(guard.allows(address, 'LIVE')).toBe(true);
});

test.each(BLOCKED)('%s is refused', (address) => {
  expect(guard.allows(address, 'LIVE')).toBe(false);
  expect(guard.allows(address, 'SANDBOX')).toBe(false);
});

/** Hosts in a merchant's URL, and the address that the URL parser returns. */
const SPELLED: [string, string][] = [
  ['http://127.0.0.1/', '127.0.0.1'],
  ['http://127.1/', '127.0.0.1'],
  ['http://2130706433/', '127.0.0.1'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://0x7f000001/', '127.0.0.1'],
  ['http://0177.0.0.1/', '127.0.0.1'],
  ['http://017700000001/', '127.0.0.1'],
  ['http://127.0.0.1./', '127.0.0.1'],
  ['http://%31%32%37.0.0.1/', '127.0.0.1'],
  ['http://１２７.０.０.１/', '127.0.0.1'],
  ['http://①②⑦.⓪.⓪.①/', '127.0.0.1'],
  ['http://127。0。0。1/', '127.0.0.1'],
  ['http://169.254.43518/', '169.254.169.254'],
  ['http://0xa9fea9fe/', '169.254.169.254'],
  ['http://0/', '0.0.0.0'],
  ['http://[::1]/', '::1'],
  ['http://[0:0:0:0:0:0:0:1]/', '::1'],
  ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
  ['http://[::FFFF:7F00:1]/', '::ffff:7f00:1'],
  ['http://[::127.0.0.1]/', '::7f00:1'],
  ['http://[64:ff9b::169.254.169.254]/', '64:ff9b::a9fe:a9fe'],
  ['http://0x7F.0X0.0x0.0x1/', '127.0.0.1'],
  ['http://0177.0x0.0.1/', '127.0.0.1'],
  ['http://00000000177.1/', '127.0.0.1'],
  ['http://127.0.1/', '127.0.0.1'],
  ['http://127.65535/', '127.0.255.255'],
  ['http://127.0.0.1:8443/', '127.0.0.1'],
  ['HTTP://127.0.0.1/', '127.0.0.1'],
  ['http:\\\\127.0.0.1\\', '127.0.0.1'],
  ['http:127.0.0.1', '127.0.0.1'],
  ['http://127%2e0%2e0%2e1/', '127.0.0.1'],
  ['http://127\u00ad.0.0.1/', '127.0.0.1'],
  ['http://𝟏𝟐𝟕.𝟎.𝟎.𝟏/', '127.0.0.1'],
  ['http://127．0．0．1/', '127.0.0.1'],
  ['http://0x0a000001/', '10.0.0.1'],
  ['http://012.0.0.1/', '10.0.0.1'],
  ['http://10.1/', '10.0.0.1'],
  ['http://3232235521/', '192.168.0.1'],
  ['http://0300.0250.1/', '192.168.0.1'],
  ['http://172.1048577/', '172.16.0.1'],
  ['http://2852039166/', '169.254.169.254'],
  ['http://0251.0376.0251.0376/', '169.254.169.254'],
  ['http://0xA9.0xFE.0xA9.0xFE/', '169.254.169.254'],
  ['http://169.254.169.254./latest/meta-data/', '169.254.169.254'],
  ['http://100.6604800/', '100.100.200.0'],
  ['http://4294967295/', '255.255.255.255'],
  ['http://0.0/', '0.0.0.0'],
  ['http://0x/', '0.0.0.0'],
  ['http://[::]/', '::'],
  ['http://[0000:0000::0001]/', '::1'],
  ['http://[0:0:0:0:0:ffff:169.254.169.254]/', '::ffff:a9fe:a9fe'],
  ['http://[::ffff:a9fe:a9fe]/', '::ffff:a9fe:a9fe'],
  ['http://[::ffff:0:127.0.0.1]/', '::ffff:0:7f00:1'],
  ['http://[64:FF9B::7F00:1]/', '64:ff9b::7f00:1'],
  ['http://[2002:7f00:0001::]/', '2002:7f00:1::'],
  ['http://[FE80:0::1]/', 'fe80::1'],
  ['http://[fd00:ec2:0:0::254]/', 'fd00:ec2::254'],
];

test.each(SPELLED)('%s spells out %s, which is refused', (text, address) => {
  const { hostname } = new URL(text);

  expect(literalAddress(hostname)).toBe(address);
  expect(guard.allows(address, 'LIVE')).toBe(false);
  expect(guard.allowsHost(hostname, 'LIVE')).toBe(false);
  expect(guard.allowsHost(hostname, 'SANDBOX')).toBe(false);
});

test('the tables contain more than a hundred addresses and spellings that must be refused', () => {
  expect(new Set([...BLOCKED, ...SPELLED.map(([text]) => text)]).size).toBeGreaterThan(100);
});

test.each([
  'http://[fe80::1%25eth0]/',
  'http://[fe80::1%eth0]/',
  'http://256.1.1.1/',
  'http://127.0.0.1.5/',
  'http://1.2.3.08/',
])('%s is refused because it is not a URL', (text) => {
  expect(URL.canParse(text)).toBe(false);
});

test.each(['shop.example', 'metadata.google.internal', '127.0.0.1.nip.io', 'a.b', 'xn--e1afmkfd.example'])(
  '%s is a name, not an address',
  (hostname) => {
    expect(literalAddress(hostname)).toBeUndefined();
  },
);

test.each([
  ['localhost', true],
  ['LOCALHOST', true],
  ['localhost.', true],
  ['api.localhost', true],
  ['localhost.example', false],
  ['notlocalhost', false],
])('%s refers to this machine: %s', (hostname, expected) => {
  expect(isLocalName(hostname)).toBe(expected);
});

describe('ranges opened for the sandbox', () => {
  const opened = createAddressGuard(['127.0.0.1/32', '10.1.0.0/16', 'fd00::/8']);

  test.each(['127.0.0.1', '10.1.2.3', '::ffff:127.0.0.1', 'fd00::7'])(
    '%s is allowed for SANDBOX and still refused for LIVE',
    (address) => {
      expect(opened.allows(address, 'SANDBOX')).toBe(true);
      expect(opened.allows(address, 'LIVE')).toBe(false);
    },
  );

  test.each(['127.0.0.2', '10.2.0.1', '169.254.169.254', '::1'])('%s outside them stays refused', (address) => {
    expect(opened.allows(address, 'SANDBOX')).toBe(false);
  });

  test('text that is not a range is refused when the guard is created', () => {
    expect(() => createAddressGuard(['127.0.0.1'])).toThrow(RangeError);
    expect(() => createAddressGuard(['localhost/8'])).toThrow(RangeError);
  });
});
