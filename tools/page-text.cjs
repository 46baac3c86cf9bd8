/**
 * Makes the text that a page carries: a style sheet without its spaces, a script with all that it imports. The build
 * uses it, and Jest as a transformer, so that tests see what browsers see.
 */

/** Old enough for the phones of customers, new enough for event streams. */
const BROWSERS = ['chrome80', 'firefox78', 'safari14.1'];

function pageText(file) {
  // Loaded late: a clone installs its packages after it has read the build.
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
  // Includes its imports, which Jest does not know.
  getCacheKey: (_source, file) => require('node:crypto').createHash('sha256').update(pageText(file)).digest('hex'),
};
