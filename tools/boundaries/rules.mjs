import { APPS, HOMES, LIBRARIES, ZONES } from './table.mjs';

const SPEC_FILES = ['**/*.spec.ts', '{apps,libs}/*/test/**/*.ts'];

const PURE_SYNTAX = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'Pure: time arrives as an argument.',
  },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Pure: time arrives as an argument.' },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: 'Pure: randomness arrives as an argument.',
  },
];
const PURE_GLOBALS = [
  'process',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'crypto',
  'performance',
  'require',
];
const ENVIRONMENT_SYNTAX = [
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'Only a composition root reads the environment; take the value as an argument.',
  },
];

const STATEMENT_SYNTAX = [
  {
    selector: 'CallExpression[callee.property.name=/^(query|execute|enqueue)$/]',
    message: 'SQL belongs to db/ and *-repository.ts; call a named query.',
  },
];

const SERVICE_SYNTAX = [
  {
    selector: `Literal[value=/^(${APPS.join('|')})$/]`,
    message: 'Libraries must not contain names of services; take the name as an argument.',
  },
];

const BACK_OFF_SYNTAX = [
  {
    selector:
      "CallExpression[callee.object.name='Math'][callee.property.name='min'] > BinaryExpression[operator='*'][right.value=2]",
    message: 'Waits that double come from backOff of @pay/runtime.',
  },
];

const SPREAD_SYNTAX = [
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the properties of an object literal without spreading them.',
  },
];

/**
 * Bundles omit unused modules of libraries (`sideEffects` in their package.json), so a module must not have side
 * effects.
 */
const EFFECT_SYNTAX = [
  {
    selector:
      'Program > :matches(ExpressionStatement:not([directive]), IfStatement, ForStatement, ForOfStatement, TryStatement), ' +
      'ImportDeclaration[specifiers.length=0][source.value=/^\\./]',
    message: 'A module of a library does nothing when it is loaded; export a function.',
  },
];

function patternsOf(zone) {
  const patterns = [];
  const own = zone.home ?? zone.zone;
  for (const library of LIBRARIES) {
    if (library === own || zone.libraries.includes(library)) continue;
    patterns.push({
      regex: `^@pay/${library}(/(?!testing$).*)?$`,
      message: `${zone.zone} may not import @pay/${library}.`,
    });
  }
  if (!zone.libraries.includes('messaging/testing') && zone.home !== 'messaging') {
    patterns.push({ regex: '^@pay/messaging/testing$', message: `${zone.zone} may not import test support.` });
  }
  patterns.push({ regex: `^@pay/(${APPS.join('|')}|e2e)(/.*)?$`, message: 'Apps must not be imported.' });
  patterns.push({ regex: '(^|/)(apps|libs)/', message: 'Import a library by its name.' });
  const home = (name) => HOMES[name].includes(own) || (name === '@node-rs/argon2' && zone.zone === 'app');
  for (const name of Object.keys(HOMES)) {
    if (home(name) || zone.only === 'specs' || zone.zone.startsWith('specs') || zone.zone === 'e2e') continue;
    if (name === '@opentelemetry/*') {
      patterns.push({
        regex: HOMES['@opentelemetry/api'].includes(own) ? '^@opentelemetry/(?!api$)' : '^@opentelemetry/',
        message: 'Only @pay/runtime may import OpenTelemetry.',
      });
    } else if (name !== '@opentelemetry/api') {
      patterns.push({ regex: `^${name}(/.*)?$`, message: `Only ${HOMES[name].join(', ')} may import ${name}.` });
    }
  }
  if (zone.external) {
    patterns.push({
      regex: `^(?!\\.{1,2}/|@pay/|(${zone.external.join('|')})$)`,
      message: `${zone.zone} may import nothing from outside but ${zone.external.join(', ')}.`,
    });
  }
  if (zone.pure) {
    patterns.push({
      regex: '^(?!\\./|\\.\\./[^/.]+$|@pay/)',
      message: 'The domain is pure: it may import only its own modules and @pay/contracts.',
    });
  }
  return patterns;
}

const createHmac = {
  name: 'node:crypto',
  importNames: ['createHmac'],
  message: 'HMAC signatures are computed in @pay/signing.',
};

const parseArgs = {
  name: 'node:util',
  importNames: ['parseArgs'],
  message: 'Options of commands are read by readOptions of @pay/runtime.',
};

const sql = {
  name: '@pay/persistence',
  importNames: [
    ...['statement', 'rows', 'firstRow', 'onlyRow', 'count', 'command', 'enqueued', 'enqueuedRows', 'inTransaction'],
    ...['pageOfRows', 'oldRowsInOrder', 'oldRowsById'],
  ],
  message: 'SQL belongs to db/ and *-repository.ts; import a named query.',
};

const httpErrors = {
  name: '@pay/http',
  importNames: ['ApiError', 'addChallenge'],
  message: 'Throw a BusinessError of @pay/contracts; the HTTP layer adds the headers of the response.',
};

/** The rules need no type information. */
export function boundaryRules() {
  return ZONES.flatMap((zone) => {
    const specs = zone.only === 'specs';
    const files = specs ? zone.files.map((glob) => [glob, '{**/*.spec.ts,{apps,libs}/*/test/**/*.ts}']) : zone.files;
    const syntax = [
      ...SPREAD_SYNTAX,
      ...(LIBRARIES.includes(zone.home ?? zone.zone) && !specs && !zone.zone.startsWith('specs') ? EFFECT_SYNTAX : []),
      ...(zone.pure ? PURE_SYNTAX : []),
      ...(zone.withoutSql ? STATEMENT_SYNTAX : []),
      ...(zone.withoutServices ? SERVICE_SYNTAX : []),
      ...(zone.libraries.includes('runtime') && !specs && !zone.zone.startsWith('specs') ? BACK_OFF_SYNTAX : []),
      ...(zone.environmentAllowed || specs || zone.zone.startsWith('specs') ? [] : ENVIRONMENT_SYNTAX),
    ];
    const isTest = specs || zone.zone.startsWith('specs') || zone.zone === 'e2e' || zone.zone === 'signing';
    const importRule = (paths) => ['error', { patterns: patternsOf(zone), ...(isTest ? {} : { paths }) }];
    const common = (zone.home ?? zone.zone) === 'runtime' ? [createHmac] : [createHmac, parseArgs];
    const paths = zone.withoutSql ? [...common, sql] : common;
    const base = {
      name: `boundaries/${zone.zone}`,
      files,
      ignores: zone.ignores ?? [],
      rules: {
        'no-restricted-imports': importRule(zone.edge ? [...paths, httpErrors] : paths),
        'no-restricted-syntax': ['error', ...syntax],
        ...(zone.pure ? { 'no-restricted-globals': ['error', ...PURE_GLOBALS] } : {}),
      },
    };
    const edge = {
      name: `boundaries/${zone.zone}: where requests arrive`,
      files: zone.edge ?? [],
      rules: { 'no-restricted-imports': importRule(paths) },
    };
    const both = zone.edge ? [base, edge] : [base];
    if (!zone.environment) return both;
    return [
      ...both,
      {
        name: `boundaries/${zone.zone}: composition roots`,
        files: zone.environment,
        rules: { 'no-restricted-syntax': ['error', ...SPREAD_SYNTAX, ...(zone.withoutSql ? STATEMENT_SYNTAX : [])] },
      },
    ];
  });
}

/**
 * Rules that patterns cannot express: relative paths into another project, circular dependencies between projects, and
 * apps as dependencies.
 */
export const NX_BOUNDARIES = [
  'error',
  {
    enforceBuildableLibDependency: false,
    allow: [],
    depConstraints: [
      { sourceTag: 'type:workspace', onlyDependOnLibsWithTags: ['*'] },
      { sourceTag: 'type:pure', onlyDependOnLibsWithTags: ['type:pure'] },
      { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:pure', 'type:platform', 'type:testing'] },
      { sourceTag: 'type:testing', onlyDependOnLibsWithTags: ['type:pure', 'type:testing'] },
      { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:pure', 'type:platform', 'type:testing'] },
      { sourceTag: 'type:web', onlyDependOnLibsWithTags: ['type:pure'] },
      { sourceTag: 'type:e2e', onlyDependOnLibsWithTags: ['type:pure', 'type:testing'] },
    ],
  },
];

export { SPEC_FILES };
