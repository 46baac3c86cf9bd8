export { describeApi, documentText, GATEWAY } from './describe-api';
export type { OpenApiDocument, OpenApiOperation, OpenApiResponse, JsonSchema } from './document';
