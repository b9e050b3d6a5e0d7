import { z } from '@hono/zod-openapi';
import { exportFormats, type ExportFormat } from '#core/evaluation/breakdown-record.ts';

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'text/jsonl',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** Returns the headers of a file to be saved as `name` with the format's extension. */
export const attachmentHeaders = (name: string, format: ExportFormat = 'jsonl') => ({
  'content-type': contentTypes[format],
  'content-disposition': `attachment; filename="${name}.${format}"`,
});

/** The query of an export. */
export const exportQuery = z.object({ format: z.enum(exportFormats).default('jsonl') });

/** A file in either format as a response. */
export const exportResponse = {
  description: 'The file',
  content: { 'text/jsonl': { schema: z.string() }, 'text/csv': { schema: z.string() } },
};
