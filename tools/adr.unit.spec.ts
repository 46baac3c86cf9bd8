import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '..', 'docs', 'adr');
const records = readdirSync(FOLDER).map((name) => ({
  name,
  title: readFileSync(join(FOLDER, name), 'utf8').split('\n')[0] ?? '',
}));

it.each(records)('the title of $name is its number and a decision without a full stop', ({ name, title }) => {
  const number = Number(name.slice(0, 4));

  expect(title).toMatch(new RegExp(`^# ${number}\\. [A-Z].*[^.]$`));
});
