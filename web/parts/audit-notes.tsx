import type { z } from 'zod';
import type { auditRecord } from '#core/units/unit.ts';
import { UntrustedText } from './outside-text.tsx';

/** What the critic and the static check found wrong with a pair of requests. */
export function AuditNotes({ audit }: { readonly audit: z.infer<typeof auditRecord> }) {
  const notes = [
    ...audit.issues.map(
      ({ type, request, tool, detail }) =>
        `${type}, ${request === 'both' ? 'both requests' : request}${tool === null ? '' : `, ${tool}`}: ${detail}`,
    ),
    ...audit.findings
      .filter(({ verdict }) => verdict !== 'yes')
      .map(({ tool, argument, reason }) => `${tool}, ${argument}: ${reason}`),
    ...audit.violations,
    ...audit.suggestions,
  ];
  if (notes.length === 0) return <p class="faint">The critic found nothing wrong.</p>;
  return (
    <ul>
      {notes.map((note) => (
        <li key={note}>
          <UntrustedText text={note} />
        </li>
      ))}
    </ul>
  );
}
