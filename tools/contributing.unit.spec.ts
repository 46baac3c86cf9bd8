import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(__dirname, '..');
const CONTRIBUTING = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const COMPILER = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
const CONTRACTS = 'libs/contracts/src/index.ts';

function namedIn(title: string): string[] {
  const section = CONTRIBUTING.split('\n## ').find((text) => text.startsWith(`${title}\n`)) ?? '';
  return [...section.matchAll(/`((?:apps|libs|docs)\/[^`\s]+)`/g)].map(([, path = '']) => path);
}

/** Lines to insert, after the first line that contains `after`. */
type Additions = Readonly<Record<string, readonly (readonly [after: string, added: string])[]>>;

class Copy {
  readonly root: string;

  /** Inside the repository, so that imports of packages are resolved. */
  constructor(private readonly files: readonly string[]) {
    const cache = join(ROOT, 'node_modules', '.cache');
    mkdirSync(cache, { recursive: true });
    this.root = mkdtempSync(join(cache, 'contributing-'));
    cpSync(join(ROOT, 'libs/contracts/src'), join(this.root, 'libs/contracts/src'), { recursive: true });
    for (const file of files) this.take(file);
  }

  /** Copies a file and the files beside it that it imports. */
  private take(file: string): void {
    mkdirSync(dirname(join(this.root, file)), { recursive: true });
    cpSync(join(ROOT, file), join(this.root, file));
    for (const [, path = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(/from '(\.[^']*)'/g)) {
      const imported = `${join(dirname(file), path)}.ts`;
      if (!existsSync(join(this.root, imported))) this.take(imported);
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.root, file), text);
  }

  add(additions: Additions): void {
    for (const [file, lines] of Object.entries(additions)) {
      let text = readFileSync(join(this.root, file), 'utf8');
      for (const [after, added] of lines) {
        const end = text.indexOf('\n', text.indexOf(after)) + 1;
        if (!text.includes(after)) throw new Error(`${file} does not contain ${after}`);
        text = `${text.slice(0, end)}${added}\n${text.slice(end)}`;
      }
      this.write(file, text);
    }
  }

  filesWithErrors(): string[] {
    const config = {
      extends: relative(this.root, join(ROOT, 'tsconfig.base.json')),
      compilerOptions: { types: ['node'], paths: { '@pay/contracts': [`./${CONTRACTS}`] } },
      files: [CONTRACTS, ...this.files],
    };
    this.write('tsconfig.json', JSON.stringify(config));
    const { stdout } = spawnSync(process.execPath, [COMPILER, '--pretty', 'false'], {
      cwd: this.root,
      encoding: 'utf8',
    });
    return [...new Set(Array.from(stdout.matchAll(/^(\S+)\(\d+,\d+\): error /gm), ([, file = '']) => file))].toSorted();
  }

  /** Evaluates an expression over the modules `contracts` and `broker`. */
  evaluate(expression: string): unknown {
    const code = `
      const { buildSync } = require('esbuild');
      const load = (entry) => {
        const module = { exports: {} };
        const { outputFiles } = buildSync({ entryPoints: [entry], bundle: true, write: false, format: 'cjs', platform: 'node',
          alias: { '@pay/contracts': process.argv[1] } });
        new Function('module', 'exports', 'require', outputFiles[0].text)(module, module.exports, require);
        return module.exports;
      };
      const contracts = load(process.argv[1]);
      const broker = load(process.argv[2]);
      console.log(JSON.stringify(${expression}));`;
    const [contracts, topology] = [CONTRACTS, 'libs/messaging/src/broker/topology.ts'].map((file) =>
      join(this.root, file),
    );
    return JSON.parse(
      execFileSync(process.execPath, ['-e', code, contracts ?? '', topology ?? ''], { cwd: ROOT, encoding: 'utf8' }),
    );
  }
}

const EVENT = {
  catalogue: {
    'libs/contracts/src/events/catalogue.ts': [
      ['import { claimDecidedV1', "import { refundRequestedV1 } from './refund-events';"],
      ["  'claim.settled':", "  'refund.requested': { version: 1, data: refundRequestedV1 },"],
    ],
  },
  publishers: {
    'libs/contracts/src/events/publishers.ts': [["  'claim.settled':", "  'refund.requested': ['dashboard-api'],"]],
  },
  topology: {
    'libs/messaging/src/broker/topology.ts': [["  'reconciler.events': [", "    'refund.requested',"]],
  },
} satisfies Record<string, Additions>;

const METHOD: Additions = {
  'libs/contracts/src/payment-method.ts': [["  NAGAD_CASHOUT: 'NAGAD',", "  NAGAD_BILL: 'NAGAD',"]],
  'libs/contracts/src/method-texts.ts': [
    ['  NAGAD_CASHOUT: {', '  NAGAD_BILL: { carriesReference: true, trxId: NAGAD_TRX_ID },'],
  ],
  'apps/sms-ingest/src/domain/compose-sms.ts': [
    ['  NAGAD_CASHOUT: (payment)', "  NAGAD_BILL: (payment) => lines('Bill Received.', payment),"],
  ],
  'apps/checkout-api/src/page/guide.ts': [
    ['  NAGAD_CASHOUT: { ...', '  NAGAD_BILL: { ...NAGAD, ...PAYMENT },'],
    ["  NAGAD_CASHOUT: guideTo('", "  NAGAD_BILL: guideTo('NAGAD_BILL'),"],
  ],
  'apps/dashboard-web/src/text/words.ts': [["    NAGAD_CASHOUT: ['", "    NAGAD_BILL: ['Nagad Bill', 'নগদ বিল'],"]],
};

describe('a copy to which an event and a payment method are added', () => {
  const copy = new Copy([
    ...['libs/messaging/src/broker/topology.ts', 'libs/messaging/src/broker/permissions.ts'],
    ...Object.keys(METHOD).filter((file) => file.startsWith('apps/')),
  ]);
  afterAll(() => copy.remove());

  it('has type errors in exactly the tables that CONTRIBUTING.md names, after the first step', () => {
    copy.add(EVENT.catalogue);
    copy.write(
      'libs/contracts/src/events/refund-events.ts',
      `import { z } from 'zod';\nexport const refundRequestedV1 = z.object({ paymentIntentId: z.uuid() });\n`,
    );
    const methods = readFileSync(join(copy.root, 'libs/contracts/src/payment-method.ts'), 'utf8');
    const added = methods.replace("'NAGAD_CASHOUT']", "'NAGAD_CASHOUT', 'NAGAD_BILL']");
    copy.write('libs/contracts/src/payment-method.ts', added);

    const wrong = copy.filesWithErrors();

    expect(wrong).toEqual(Object.keys({ ...EVENT.publishers, ...METHOD }).toSorted());
    expect([...namedIn('Add an event'), ...namedIn('Add a payment method')]).toEqual(expect.arrayContaining(wrong));
  });

  it('has no type errors after all steps, and an event that is decoded, may be published and has a queue', () => {
    copy.add(EVENT.publishers);
    copy.add(METHOD);
    const queues = `broker.queuesReceiving('refund.requested')`;
    const before = copy.evaluate(queues);
    copy.add(EVENT.topology);
    const fixture = JSON.parse(readFileSync(join(ROOT, 'libs/contracts/src/fixtures/device.seen.v1.json'), 'utf8'));
    const event = { ...fixture, type: 'refund.requested', data: { paymentIntentId: fixture.aggregateId } };

    expect(copy.filesWithErrors()).toEqual([]);
    expect(before).toEqual([]);
    expect(
      copy.evaluate(`[
        ${queues},
        contracts.decodeEvent(${JSON.stringify(JSON.stringify(event))}).type,
        contracts.mayPublish('dashboard-api', 'refund.requested'),
        contracts.providerOf('NAGAD_BILL'),
      ]`),
    ).toEqual([['reconciler.events'], 'refund.requested', true, 'NAGAD']);
    expect(namedIn('Add an event')).toEqual(
      expect.arrayContaining([
        ...Object.keys({ ...EVENT.catalogue, ...EVENT.topology }),
        'libs/contracts/src/fixtures/',
      ]),
    );
  });
});

it('CONTRIBUTING.md names every table of payment methods', () => {
  const sources = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
      .filter(
        (path) => /\/src\/.*\.(tsx?|sql)$/.test(path) && !/node_modules|\.spec\.|migrations|apps\/e2e/.test(path),
      ),
  );
  const tables = sources.filter((path) =>
    /(Record|Each)<PaymentMethod\b|ARRAY\['BKASH_PAYMENT'/.test(readFileSync(join(ROOT, path), 'utf8')),
  );

  expect(tables).toContain('libs/contracts/src/payment-method.ts');
  expect(tables.filter((path) => !namedIn('Add a payment method').includes(path))).toEqual([]);
});
