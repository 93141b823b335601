package dev.callbound.gateway.demo;

/**
 * What a server's own ledger says of one task.
 *
 * @param happened how often the write was executed
 * @param answered how often the tool gave its proper answer
 * @param sent how many calls arrived
 */
record Count(int happened, int answered, int sent) {}
