import { readFile } from 'node:fs/promises';
import { GATEWAY } from '@pay/api-description';
import type { ReferenceFile } from '@pay/contracts';

/**
 * Uses the URL of this gateway in the commands of the document. An API key that is entered stays in memory and is sent
 * only to this URL.
 */
const START = `fetch('/v1/openapi.json')
  .then((response) => response.text())
  .then((text) =>
    SwaggerUIBundle({
      spec: JSON.parse(text.replaceAll(${JSON.stringify(GATEWAY)}, location.origin)),
      dom_id: '#reference',
      deepLinking: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      persistAuthorization: false,
      tryItOutEnabled: true,
      validatorUrl: null,
    }),
  );
`;

export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Payment gateway: API reference</title>
    <link rel="icon" href="/v1/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/v1/docs/swagger-ui.css">
    <script src="/v1/docs/swagger-ui-bundle.js" defer></script>
    <script src="/v1/docs/reference.js" defer></script>
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The document itself is at <a href="/v1/openapi.json">openapi.json</a>.</noscript>
  </body>
</html>
`;

const TYPES: Readonly<Record<ReferenceFile, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

export interface StaticFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Files of the installed package, so that the page loads nothing from other servers. */
export async function readReferenceFile(file: ReferenceFile): Promise<StaticFile> {
  const bytes =
    file === 'reference.js' ? Buffer.from(START) : await readFile(require.resolve(`swagger-ui-dist/${file}`));
  return { type: TYPES[file], bytes };
}
