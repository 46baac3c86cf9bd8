/** Reads [{file, code}] from standard input and prints the boundary rules that each snippet violates. */
import { readFileSync } from 'node:fs';
import nx from '@nx/eslint-plugin';
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { boundaryRules, NX_BOUNDARIES } from '../rules.mjs';

// Without a cached project graph the Nx rule reports nothing.
await createProjectGraphAsync({ exitOnError: false });

const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser },
      plugins: { '@nx': nx },
      rules: { '@nx/enforce-module-boundaries': NX_BOUNDARIES },
    },
    ...boundaryRules(),
  ],
});

const results = [];
for (const { file, code } of JSON.parse(readFileSync(0, 'utf8'))) {
  const [result] = await eslint.lintText(code, { filePath: file });
  results.push(result.messages.map((message) => message.ruleId ?? message.message));
}
process.stdout.write(`${JSON.stringify(results)}\n`);
