/** The number of a ticket, as a link where the address of tickets is configured. */

import { ticketAddress, useChangeRules } from "../api/change-rules";

export function Ticket({ ticket }: { ticket: string | null | undefined }) {
  const address = ticketAddress(useChangeRules().ticketUrl, ticket ?? "");
  if (!ticket) return "–";
  if (address === null) return ticket;
  return (
    <a className="text-link small" href={address} target="_blank" rel="noopener noreferrer">
      {ticket}
    </a>
  );
}
