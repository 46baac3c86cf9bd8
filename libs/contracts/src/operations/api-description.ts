import { z } from 'zod';
import { REFERENCE_FILES } from '../http/api-description';
import { operation } from './operation';

const tag = 'API description';
const credential = { kind: 'none' } as const;
const headers = {
  ETag: 'Changes with the content; send it as `If-None-Match` to be answered 304.',
  'Cache-Control': 'How long it may be kept.',
};
const unchanged = { description: 'Not modified.', headers };

export const getApiDescription = operation({
  id: 'getApiDescription',
  service: 'dashboard-api',
  method: 'get',
  path: '/v1/openapi.json',
  tag,
  summary: 'Get the OpenAPI document',
  credential,
  answers: {
    200: { description: 'The OpenAPI 3.1 document.', contentType: 'application/json', headers },
    304: unchanged,
  },
});

export const getReferencePage = operation({
  id: 'getReferencePage',
  service: 'dashboard-api',
  method: 'get',
  path: '/v1/docs',
  tag,
  summary: 'Get the API reference page',
  credential,
  answers: { 200: { description: 'The page.', contentType: 'text/html', headers }, 304: unchanged },
});

export const getReferenceFile = operation({
  id: 'getReferenceFile',
  service: 'dashboard-api',
  method: 'get',
  path: '/v1/docs/:file',
  tag,
  summary: 'Get an asset of the reference page',
  credential,
  params: z.object({ file: z.enum(REFERENCE_FILES) }),
  answers: {
    200: { description: 'A style sheet, script or image.', contentType: '*/*', headers },
    304: unchanged,
  },
});
