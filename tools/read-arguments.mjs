import { parseArgs } from 'node:util';

/**
 * Reads the arguments of a command; `problemOf` checks them, and `--help` prints `usage` and ends the program. An error
 * contains the problem and a valid example. Example: readArguments({ example: 'npm run drill -- restore', options: {} })
 */
export function readArguments({ example, usage = '', problemOf = () => undefined, options, ...config }) {
  let parsed;
  try {
    parsed = parseArgs({ ...config, options: { ...options, help: { type: 'boolean', default: false } } });
  } catch (error) {
    // Omits Node's hint about arguments that begin with a dash, because no command has such arguments.
    throw refusal(error.message.replace(/\. To specify .*$/s, '.'), example);
  }
  if (parsed.values.help) {
    console.log(`${usage === '' ? '' : `${usage}\n`}Example: ${example}`);
    process.exit(0);
  }
  const problem = problemOf(parsed);
  if (problem !== undefined) throw refusal(problem, example);
  return parsed;
}

/** A whole number from 1 to 99999. */
export const isCount = (text) => /^[1-9]\d{0,4}$/.test(text);

/** The error message for the first of these options that is not a count. */
export function countProblem(values, ...names) {
  const wrong = names.find((name) => !isCount(values[name]));
  return wrong && `--${wrong} must be a whole number from 1 to 99999, not "${values[wrong]}".`;
}

export function nameProblem(given, known, what) {
  return known.includes(given)
    ? undefined
    : `${given === undefined ? `Name ${what}` : `"${given}" is not ${what}`}: ${known.join(', ')}.`;
}

function refusal(problem, example) {
  return new Error(`${problem}\nExample: ${example}`);
}
