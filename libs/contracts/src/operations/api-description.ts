import { z } from 'zod';
import { REFERENCE_FILES } from '../http/api-description';
import { operations } from './operation';

const headers = {
  ETag: 'Changes when the content changes; send it as `If-None-Match` to receive 304 if nothing has changed.',
  'Cache-Control': 'How long it may be kept.',
};
const unchanged = { description: 'Not modified.', headers };

const api = operations({ service: 'dashboard-api', tag: 'API description', credential: { kind: 'none' } });

export const getApiDescription = api.get('getApiDescription', '/v1/openapi.json', {
  summary: 'Get the OpenAPI document',
  answers: {
    200: { description: 'The OpenAPI 3.1 document.', contentType: 'application/json', headers },
    304: unchanged,
  },
});

export const getReferencePage = api.get('getReferencePage', '/v1/docs', {
  summary: 'Get the API reference page',
  answers: { 200: { description: 'The page.', contentType: 'text/html', headers }, 304: unchanged },
});

export const getReferenceFile = api.get('getReferenceFile', '/v1/docs/:file', {
  summary: 'Get an asset of the reference page',
  params: z.object({ file: z.enum(REFERENCE_FILES) }),
  answers: {
    200: { description: 'A style sheet, script or image.', contentType: '*/*', headers },
    304: unchanged,
  },
});
