import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
});
const pages = files.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/**
 * Anchors in the format of GitHub. Example: `Loss of RabbitMQ with its data` becomes `loss-of-rabbitmq-with-its-data`.
 */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function brokenLinksOf(page: string, text = read(page)): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    if (/^[a-z]+:/.test(link)) return false;
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
}

describe('links of Markdown pages', () => {
  it('lead to files and headings that exist', () => {
    const broken = pages.flatMap((page) => brokenLinksOf(page).map((link) => `${page}: ${link}`));

    expect(pages.length).toBeGreaterThan(50);
    expect(broken).toEqual([]);
  });

  it.each(['[a](recovery-of-nothing.md)', '[a](recovery.md#nothing)', '[a](#nothing)'])('%s is found', (text) => {
    expect(brokenLinksOf('docs/capacity.md', text)).toHaveLength(1);
  });
});

describe('figures in comments of autoscalers', () => {
  const folder = 'deploy/k8s/components/keda';
  const cited = readdirSync(join(ROOT, folder)).flatMap((name) =>
    [...read(join(folder, name)).matchAll(/^# .*?(\d,\d{3}) .*\((docs\/\S+\.md)\)/gm)].map(
      ([, figure = '', page = '']) => ({ name, figure, page }),
    ),
  );

  it('are on the page that they name', () => {
    expect(cited).toHaveLength(5);
    expect(cited.filter(({ figure, page }) => !read(page).includes(figure))).toEqual([]);
  });
});
