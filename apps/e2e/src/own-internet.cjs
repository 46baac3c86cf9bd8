/**
 * Replaces DNS in webhook-dispatcher: the host of the shop resolves to a public address, and connections to it go to
 * this machine. No setting permits this in LIVE.
 */
const dns = require('node:dns');
const net = require('node:net');

const { SHOP_HOST, SHOP_ADDRESS } = process.env;
const { connect } = net;

const refuse = (code) => Promise.reject(Object.assign(new Error(code), { code }));
dns.promises.Resolver.prototype.resolve4 = (name) =>
  name === SHOP_HOST ? Promise.resolve([{ address: SHOP_ADDRESS, ttl: 1 }]) : refuse('ENOTFOUND');
dns.promises.Resolver.prototype.resolve6 = () => refuse('ENODATA');

const here = (address) => (address === SHOP_ADDRESS ? '127.0.0.1' : address);
const routed = (lookup) => (name, options, callback) =>
  lookup(name, options, (error, found, family) => {
    const way = Array.isArray(found) ? found.map((each) => ({ ...each, address: here(each.address) })) : here(found);
    callback(error, way, family);
  });
net.connect = (options, ...more) =>
  connect(options?.lookup === undefined ? options : { ...options, lookup: routed(options.lookup) }, ...more);
