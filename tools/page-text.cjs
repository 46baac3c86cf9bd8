/**
 * Creates the texts that a page contains: a minified style sheet, and a script with its imports. The build uses it, and
 * Jest as a transformer, so that tests see the same text as browsers.
 */

/** Old enough for customers' phones, new enough for event streams. */
const BROWSERS = ['chrome80', 'firefox78', 'safari14.1'];

function pageText(file) {
  // Loaded late, because a fresh clone reads the build before its packages are installed.
  const { buildSync } = require('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: 'iife',
    target: BROWSERS,
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    outdir: '/',
    logLevel: 'warning',
  });
  return outputFiles[0].text.trim();
}

module.exports = {
  pageText,
  process: (_source, file) => ({
    code: `module.exports = { __esModule: true, default: ${JSON.stringify(pageText(file))} };`,
  }),
  // Jest does not know the imports of the script, so the key includes their content.
  getCacheKey: (_source, file) => require('node:crypto').createHash('sha256').update(pageText(file)).digest('hex'),
};
