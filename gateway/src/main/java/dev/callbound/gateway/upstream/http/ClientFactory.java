package dev.callbound.gateway.upstream.http;

import dev.callbound.gateway.config.ServerConfig;
import java.io.IOException;
import java.net.Proxy;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Builds the HTTP client of one server with everything switched off that a client does by itself:
 * repeats, redirects, cookies, credentials, compression, upgrades and every timer after connecting.
 * The deadline comes from outside, as an interrupt.
 */
final class ClientFactory {
  /** Shorter than any server's or proxy's own keep-alive that is in use. */
  private static final TimeValue LONGEST_IDLE = TimeValue.ofSeconds(2);

  private ClientFactory() {}

  /** The pool of connections, to be closed with the client. */
  static PoolingHttpClientConnectionManager pool(ServerConfig.Http transport, int maxConnections) {
    Timeout connecting = Timeout.of(transport.connectTimeout());
    return new ChannelSockets()
        .setDnsResolver(
            new CheckedResolver(
                new AddressCheck(transport.addresses()), transport.connectTimeout()))
        .setMaxConnTotal(maxConnections)
        .setMaxConnPerRoute(maxConnections)
        // Closing a connection can block, and must not block those who wait for one.
        .setOffLockDisposalEnabled(true)
        .setDefaultSocketConfig(
            SocketConfig.custom().setSoTimeout(Timeout.DISABLED).setTcpNoDelay(true).build())
        .setDefaultConnectionConfig(
            ConnectionConfig.custom()
                .setConnectTimeout(connecting)
                .setSocketTimeout(Timeout.DISABLED)
                .setIdleTimeout(LONGEST_IDLE.toTimeout())
                // Sender checks each connection itself, without the millisecond that this costs.
                .setValidateAfterInactivity(TimeValue.NEG_ONE_MILLISECOND)
                .build())
        .setDefaultTlsConfig(TlsConfig.custom().setHandshakeTimeout(connecting).build())
        .build();
  }

  static CloseableHttpClient client(PoolingHttpClientConnectionManager pool) {
    return HttpClientBuilder.create()
        .setConnectionManager(pool)
        .setRequestExecutor(new EvidentExecutor())
        .setKeepAliveStrategy((_, _) -> LONGEST_IDLE)
        .setDefaultRequestConfig(
            RequestConfig.custom()
                .setConnectionRequestTimeout(Timeout.of(365, TimeUnit.DAYS))
                .setResponseTimeout(Timeout.DISABLED)
                .setAuthenticationEnabled(false)
                .setContentCompressionEnabled(false)
                .setExpectContinueEnabled(false)
                .setProtocolUpgradeEnabled(false)
                .setRedirectsEnabled(false)
                .build())
        .disableAutomaticRetries()
        .disableRedirectHandling()
        .disableCookieManagement()
        .disableAuthCaching()
        .disableContentCompression()
        .disableConnectionState()
        .disableDefaultUserAgent()
        .build();
  }

  /** Connects sockets of channels: whether one is still open can be seen without waiting. */
  private static final class ChannelSockets extends PoolingHttpClientConnectionManagerBuilder {
    @Override
    protected HttpClientConnectionOperator createConnectionOperator(
        SchemePortResolver ports, DnsResolver addresses, TlsSocketStrategy tls) {
      return new DefaultHttpClientConnectionOperator(
          ChannelSockets::socket,
          ports,
          addresses,
          RegistryBuilder.<TlsSocketStrategy>create().register(URIScheme.HTTPS.id, tls).build());
    }

    private static Socket socket(Proxy proxy) throws IOException {
      return SocketChannel.open().socket();
    }
  }
}
